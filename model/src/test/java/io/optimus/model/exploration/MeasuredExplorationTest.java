package io.optimus.model.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.TestCategory.ReferenceData;
import io.optimus.model.numerics.Medians;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedSurface;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Compares the sizes that a job explores with as many other sizes, by the error of the fit to speeds of a real cluster.
 *
 * <p>A job does not explore sizes that are believed to be slow, although a fit would learn more from them. With them, the mean
 * error on sizes up to 12 + 12 was 3.3, 13.6, 11.1 and 10.9 % for the four models. Without them it is up to 4 points larger.
 */
@Category(ReferenceData.class)
public class MeasuredExplorationTest {
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(12, 12));
    private static final int DRAWS = 200;

    @Test
    public void hasSmallerErrorsThanRandomOrDiagonalSizes() throws IOException {
        System.out.printf(
                "mean error up to 12 + 12; below, on those that are two thirds as fast as the fastest or more%n%-24s %9s %9s %9s %9s  %s%n",
                "", "explored", "random", "as cheap", "p = w", "explored sizes (tasks)");
        for (SpeedSurface measured : SpeedSurface.all()) {
            SpeedSurface all = measured.within(RANGE);
            SortedMap<Allocation, Double> explored = explore(all);
            int tasks = explored.keySet().stream().mapToInt(Allocation::tasks).sum();
            for (SpeedSurface model : List.of(all, all.notSlowerThan(1.5))) {
                double error = model.meanError(all.fit(explored).speed());
                double random = randomError(all, model, Integer.MAX_VALUE);
                double cheap = randomError(all, model, tasks);
                double diagonal = diagonalError(all, model);
                System.out.printf(
                        "%-24s %7.1f %% %7.1f %% %7.1f %% %7.1f %%  %s (%d)%n",
                        model.name(), 100 * error, 100 * random, 100 * cheap, 100 * diagonal, explored.keySet(), tasks);
                assertThat(error).as(model.name()).isLessThan(0.17).isLessThan(random);
                assertThat(error).as(model.name()).isLessThan(cheap).isLessThan(0.75 * diagonal);
            }
        }
    }

    private static SortedMap<Allocation, Double> explore(SpeedSurface model) {
        SortedMap<Allocation, Double> seen = new TreeMap<>();
        Exploration exploration = new Exploration(model.form(), RANGE);
        Optional<Allocation> next = Optional.of(RANGE.minimum());
        while (next.isPresent()) {
            seen.put(next.get(), model.speeds().get(next.get()));
            MeasuredSizes ran = MeasuredSizes.of(seen);
            next = exploration.next(
                    ran,
                    new SpeedFitter(model.form()).fit(ran, RANGE),
                    Set.of(),
                    OptionalDouble.empty(),
                    size -> model.speeds().containsKey(size));
        }
        return seen;
    }

    /** The median over draws of 1 + 1 and four other sizes that have at most {@code maxTasks} tasks together. */
    private static double randomError(SpeedSurface model, SpeedSurface of, int maxTasks) {
        double[] errors = new double[DRAWS];
        Random random = new Random(1);
        for (int draw = 0; draw < DRAWS; ) {
            List<Allocation> sizes = new ArrayList<>(model.speeds().keySet());
            sizes.remove(RANGE.minimum());
            Collections.shuffle(sizes, random);
            sizes = new ArrayList<>(sizes.subList(0, 4));
            sizes.add(RANGE.minimum());
            if (sizes.stream().mapToInt(Allocation::tasks).sum() <= maxTasks
                    && SpeedFitter.areEnough(Set.copyOf(sizes), model.form(), RANGE)) {
                errors[draw++] = of.meanError(model.fit(model.on(sizes)).speed());
            }
        }
        return Medians.mean(errors);
    }

    /** The median over draws of five sizes with as many servers as workers. */
    private static double diagonalError(SpeedSurface model, SpeedSurface of) {
        double[] errors = new double[DRAWS];
        List<Allocation> diagonal = new ArrayList<>(IntStream.rangeClosed(2, 12)
                .mapToObj(count -> new Allocation(count, count))
                .filter(size -> model.speeds().containsKey(size))
                .toList());
        for (int draw = 0; draw < DRAWS; draw++) {
            Collections.shuffle(diagonal, new Random(draw));
            List<Allocation> sizes = new ArrayList<>(diagonal.subList(0, Math.min(4, diagonal.size())));
            sizes.add(RANGE.minimum());
            errors[draw] = of.meanError(model.fit(model.on(sizes)).speed());
        }
        return Medians.mean(errors);
    }
}
