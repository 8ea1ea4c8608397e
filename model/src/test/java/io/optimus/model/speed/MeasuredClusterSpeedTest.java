package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.SharedData;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

/** Fits of speeds that were measured on a real cluster, four models over up to 23 servers and 23 workers. */
public class MeasuredClusterSpeedTest {
    private static final int DRAWS = 100;

    private record Model(String name, double globalBatch, SortedMap<Allocation, Double> speeds) {
        SpeedFit.Fitted fit(SortedMap<Allocation, Double> sampled) {
            SizeRange range = new SizeRange(new Allocation(1, 1), new Allocation(23, 23));
            return (SpeedFit.Fitted) new SpeedFitter(SpeedForm.of(TrainingMode.SYNCHRONOUS, globalBatch))
                    .fit(MeasuredSizes.of(sampled), range);
        }
    }

    @Test
    public void missesNoModelByMoreThanATenthFromAllSizes() throws IOException {
        for (Model model : models()) {
            SpeedFit.Fitted fit = model.fit(model.speeds());
            Allocation worst = worst(fit.speed().fitted(), model);
            System.out.printf(
                    "%-24s %3d sizes: mean error %4.1f %%, worst %3.0f %% on %s (measured %.2f, fitted %.2f steps/s)%n",
                    model.name(),
                    fit.sizes(),
                    100 * fit.relativeError(),
                    100 * error(fit.speed().fitted(), worst, model),
                    worst,
                    model.speeds().get(worst),
                    fit.speed().fitted().stepsPerSecond(worst));
            assertThat(fit.relativeError()).as(model.name()).isLessThanOrEqualTo(0.10);
            assertThat(meanError(fit.speed(), model))
                    .as("measured sizes are believed")
                    .isLessThan(1e-12);
        }
    }

    @Test
    public void missesNoModelByMoreThanAnEighthFromTenSizes() throws IOException {
        for (Model model : models()) {
            double[] fitErrors = new double[DRAWS];
            double[] correctedErrors = new double[DRAWS];
            Map<Allocation, Double> worst = new TreeMap<>();
            for (int draw = 0; draw < DRAWS; draw++) {
                SpeedFit.Fitted fit = model.fit(draw(model, 10, new Random(draw)));
                fitErrors[draw] = meanError(fit.speed().fitted(), model);
                correctedErrors[draw] = meanError(fit.speed(), model);
                Allocation size = worst(fit.speed().fitted(), model);
                worst.merge(size, error(fit.speed().fitted(), size, model), Math::max);
            }
            Map.Entry<Allocation, Double> corner = Collections.max(worst.entrySet(), Map.Entry.comparingByValue());
            System.out.printf(
                    "%-24s  10 sizes: mean error %4.1f %% (median of %d draws), corrected %4.1f %%, worst %3.0f %% on %s%n",
                    model.name(),
                    100 * median(fitErrors),
                    DRAWS,
                    100 * median(correctedErrors),
                    100 * corner.getValue(),
                    corner.getKey());
            assertThat(median(fitErrors)).as(model.name()).isLessThanOrEqualTo(0.13);
            assertThat(median(correctedErrors)).as(model.name()).isLessThan(median(fitErrors));
        }
    }

    @Test
    public void learnsFromTheSizesThatItExplores() throws IOException {
        SizeRange range = new SizeRange(new Allocation(1, 1), new Allocation(12, 12));
        for (Model model : models()) {
            SortedMap<Allocation, Double> seen = new TreeMap<>();
            Exploration exploration =
                    new Exploration(SpeedForm.of(TrainingMode.SYNCHRONOUS, model.globalBatch()), range);
            Optional<Allocation> next = Optional.of(new Allocation(1, 1));
            while (next.isPresent()) {
                seen.put(next.get(), model.speeds().get(next.get()));
                next = exploration.next(seen.keySet(), Set.of(), OptionalDouble.empty(), size -> model.speeds()
                        .containsKey(size));
            }
            SortedMap<Allocation, Double> within = new TreeMap<>(model.speeds());
            within.keySet().removeIf(size -> !range.contains(size));
            Model inRange = new Model(model.name(), model.globalBatch(), within);
            double error = meanError(model.fit(seen).speed(), inRange);
            System.out.printf(
                    "%-24s explored %s: mean error up to %s %4.1f %%%n",
                    model.name(), seen.keySet(), range.maximum(), 100 * error);
            assertThat(seen).hasSize(5);
            assertThat(error).as(model.name()).isLessThan(0.25);
        }
    }

    /** Two out of three would be expected within one standard error, 19 out of 20 within two. */
    @Test
    public void knowsHowFarItMayBeOff() throws IOException {
        for (Model model : models()) {
            for (int count : new int[] {5, 10, 20}) {
                double withinOne = 0;
                double withinTwo = 0;
                double young = 0;
                double all = 0;
                for (int draw = 0; draw < DRAWS; draw++) {
                    SortedMap<Allocation, Double> sampled = draw(model, count, new Random(draw));
                    SpeedFit.Fitted fit = model.fit(sampled);
                    young += fit.young() ? 1.0 / DRAWS : 0;
                    for (Allocation size : model.speeds().keySet()) {
                        if (!sampled.containsKey(size)) {
                            double errors = error(fit.speed(), size, model)
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

    /** On the raw measurements a greedy climb stalls at the first noisy neighbour; on the fit, corrected, it must not. */
    @Test
    public void climbsAsFarOnTheCorrectedFitAsOnThePlainOne() throws IOException {
        List<Model> withoutHoles =
                models().stream().filter(model -> model.speeds().size() > 200).toList();
        assertThat(withoutHoles).hasSize(2);
        for (Model model : withoutHoles) {
            double plain = 0;
            double corrected = 0;
            for (int draw = 0; draw < DRAWS; draw++) {
                SortedMap<Allocation, Double> sampled = draw(model, 9, new Random(draw));
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

    /** The part of the best measured speed that adding the best task of either role, or one of both, ends at. */
    private static double climb(SpeedFunction speed, Model model) {
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

    private static SortedMap<Allocation, Double> draw(Model model, int count, Random random) {
        List<Allocation> sizes = new ArrayList<>(model.speeds().keySet());
        Collections.shuffle(sizes, random);
        SortedMap<Allocation, Double> drawn = new TreeMap<>();
        sizes.subList(0, count).forEach(size -> drawn.put(size, model.speeds().get(size)));
        return drawn;
    }

    private static double error(SpeedFunction speed, Allocation size, Model model) {
        return Math.abs(speed.stepsPerSecond(size) / model.speeds().getOrDefault(size, Double.NaN) - 1);
    }

    private static double meanError(SpeedFunction speed, Model model) {
        return model.speeds().keySet().stream()
                .mapToDouble(size -> error(speed, size, model))
                .average()
                .orElseThrow();
    }

    private static Allocation worst(SpeedFunction speed, Model model) {
        return Collections.max(
                model.speeds().keySet(), (a, b) -> Double.compare(error(speed, a, model), error(speed, b, model)));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static List<Model> models() throws IOException {
        Map<String, Model> models = new TreeMap<>();
        List<String> lines = Files.readAllLines(SharedData.file("parameter-server/measured-speed.csv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (cells[11].equals("1")) {
                models.computeIfAbsent(cells[0], name -> new Model(name, Double.parseDouble(cells[2]), new TreeMap<>()))
                        .speeds()
                        .put(
                                new Allocation(Integer.parseInt(cells[3]), Integer.parseInt(cells[4])),
                                Double.parseDouble(cells[6]));
            }
        }
        assertThat(models).hasSize(4);
        return List.copyOf(models.values());
    }
}
