package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.TestCategory.ReferenceData;
import io.optimus.model.numerics.Medians;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Fits measured speeds of four models on up to 23 servers and 23 workers of a real cluster. */
@Category(ReferenceData.class)
public class MeasuredClusterSpeedTest {
    private static final int DRAWS = 100;

    @Test
    public void meanErrorIsAtMostATenthFromAllSizes() throws IOException {
        for (SpeedSurface model : SpeedSurface.all()) {
            SpeedFit.Fitted fit = model.fit(model.speeds());
            Allocation worst = model.worst(fit.speed().fitted());
            System.out.printf(
                    "%-24s %3d sizes: mean error %4.1f %%, worst %3.0f %% on %s (measured %.2f, fitted %.2f steps/s)%n",
                    model.name(),
                    fit.sizes(),
                    100 * fit.relativeError(),
                    100 * model.error(fit.speed().fitted(), worst),
                    worst,
                    model.speeds().get(worst),
                    fit.speed().fitted().stepsPerSecond(worst));
            assertThat(fit.relativeError()).as(model.name()).isLessThanOrEqualTo(0.10);
            assertThat(model.error(fit.speed().fitted(), worst))
                    .as(model.name())
                    .isLessThan(1.1);
            assertThat(model.meanError(fit.speed()))
                    .as("measured sizes are believed")
                    .isLessThan(1e-12);
        }
    }

    @Test
    public void meanErrorIsAtMost13PercentFromTenSizes() throws IOException {
        for (SpeedSurface model : SpeedSurface.all()) {
            double[] fitErrors = new double[DRAWS];
            double[] correctedErrors = new double[DRAWS];
            Map<Allocation, Double> worst = new TreeMap<>();
            for (int draw = 0; draw < DRAWS; draw++) {
                SpeedFit.Fitted fit = model.fit(model.draw(10, new Random(draw)));
                fitErrors[draw] = model.meanError(fit.speed().fitted());
                correctedErrors[draw] = model.meanError(fit.speed());
                Allocation size = model.worst(fit.speed().fitted());
                worst.merge(size, model.error(fit.speed().fitted(), size), Math::max);
            }
            Map.Entry<Allocation, Double> corner = Collections.max(worst.entrySet(), Map.Entry.comparingByValue());
            System.out.printf(
                    "%-24s  10 sizes: mean error %4.1f %% (median of %d draws), corrected %4.1f %%, worst %3.0f %% on %s%n",
                    model.name(),
                    100 * Medians.mean(fitErrors),
                    DRAWS,
                    100 * Medians.mean(correctedErrors),
                    100 * corner.getValue(),
                    corner.getKey());
            assertThat(Medians.mean(fitErrors)).as(model.name()).isLessThanOrEqualTo(0.13);
            assertThat(Medians.mean(correctedErrors)).as(model.name()).isLessThan(Medians.mean(fitErrors));
        }
    }

    /** Two of three errors are expected within one standard error, 19 of 20 within two. */
    @Test
    public void mostErrorsAreWithinTwoStandardErrors() throws IOException {
        for (SpeedSurface model : SpeedSurface.all()) {
            for (int count : new int[] {5, 10, 20}) {
                double withinOne = 0;
                double withinTwo = 0;
                double young = 0;
                double all = 0;
                for (int draw = 0; draw < DRAWS; draw++) {
                    SortedMap<Allocation, Double> sampled = model.draw(count, new Random(draw));
                    SpeedFit.Fitted fit = model.fit(sampled);
                    young += fit.young() ? 1.0 / DRAWS : 0;
                    for (Allocation size : model.speeds().keySet()) {
                        if (!sampled.containsKey(size)) {
                            double errors = model.error(fit.speed(), size)
                                    / fit.confidence().standardError(size);
                            withinOne += errors <= 1 ? 1 : 0;
                            withinTwo += errors <= 2 ? 1 : 0;
                            all++;
                        }
                    }
                }
                System.out.printf(
                        "%-24s %3d sizes: %3.0f %% of the others within one standard error, %3.0f %% within two, %3.0f %% of the fits young%n",
                        model.name(), count, 100 * withinOne / all, 100 * withinTwo / all, 100 * young);
                assertThat(withinTwo / all)
                        .as("%s from %d", model.name(), count)
                        .isGreaterThan(0.75);
            }
        }
    }

    /** On the raw measurements a greedy search stops at the first noisy neighbour; on the corrected fit it must not. */
    @Test
    public void greedySearchReachesTheSameSpeedOnTheCorrectedFit() throws IOException {
        List<SpeedSurface> withoutHoles = SpeedSurface.all().stream()
                .filter(model -> model.speeds().size() > 200)
                .toList();
        assertThat(withoutHoles).hasSize(2);
        for (SpeedSurface model : withoutHoles) {
            double plain = 0;
            double corrected = 0;
            for (int draw = 0; draw < DRAWS; draw++) {
                SortedMap<Allocation, Double> sampled = model.draw(9, new Random(draw));
                sampled.put(new Allocation(1, 1), model.speeds().get(new Allocation(1, 1)));
                MeasuredSpeed speed = model.fit(sampled).speed();
                plain += climb(speed.fitted(), model) / DRAWS;
                corrected += climb(speed, model) / DRAWS;
            }
            System.out.printf(
                    "%-24s climbs to %3.0f %% of the best speed on the fit, %3.0f %% on the corrected fit%n",
                    model.name(), 100 * plain, 100 * corrected);
            assertThat(corrected).as(model.name()).isGreaterThan(plain - 0.02);
        }
    }

    /** Adds one task of either role or of both, greedily. Returns the reached part of the best measured speed. */
    private static double climb(SpeedFunction speed, SpeedSurface model) {
        Allocation here = new Allocation(1, 1);
        @Nullable Allocation next = here;
        while (next != null) {
            here = next;
            next = null;
            double gain = 0;
            for (Allocation more : List.of(new Allocation(0, 1), new Allocation(1, 0), new Allocation(1, 1))) {
                Allocation there = here.plus(more);
                double gainThere = model.speeds().containsKey(there)
                        ? (speed.stepsPerSecond(there) - speed.stepsPerSecond(here)) / more.tasks()
                        : 0;
                if (gainThere > gain) {
                    gain = gainThere;
                    next = there;
                }
            }
        }
        return model.speeds().getOrDefault(here, Double.NaN)
                / Collections.max(model.speeds().values());
    }
}
