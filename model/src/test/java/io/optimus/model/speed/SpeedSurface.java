package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.SharedData;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** The measured speeds of a model on a real cluster, on up to 23 servers and 23 workers. */
public record SpeedSurface(String name, double globalBatch, SortedMap<Allocation, Double> speeds) {
    private static final SizeRange RANGE = new SizeRange(new Allocation(1, 1), new Allocation(23, 23));

    /** The four models; skips the test where the reference data is not there. */
    public static List<SpeedSurface> all() throws IOException {
        Map<String, SpeedSurface> models = new TreeMap<>();
        List<String> lines = Files.readAllLines(SharedData.file("parameter-server/measured-speed.csv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (cells[11].equals("1")) {
                models.computeIfAbsent(
                                cells[0], name -> new SpeedSurface(name, Double.parseDouble(cells[2]), new TreeMap<>()))
                        .speeds()
                        .put(
                                new Allocation(Integer.parseInt(cells[3]), Integer.parseInt(cells[4])),
                                Double.parseDouble(cells[6]));
            }
        }
        assertThat(models).hasSize(4);
        return List.copyOf(models.values());
    }

    public SpeedForm form() {
        return SpeedForm.of(TrainingMode.SYNCHRONOUS, globalBatch);
    }

    public SpeedFit.Fitted fit(SortedMap<Allocation, Double> sampled) {
        return (SpeedFit.Fitted) new SpeedFitter(form()).fit(MeasuredSizes.of(sampled), RANGE);
    }

    /** The same surface with only the sizes of {@code range}. */
    public SpeedSurface within(SizeRange range) {
        SortedMap<Allocation, Double> within = new TreeMap<>(speeds);
        within.keySet().removeIf(size -> !range.contains(size));
        return new SpeedSurface(name, globalBatch, within);
    }

    /** The same surface with only the sizes that are at least one {@code factor}th as fast as the fastest. */
    public SpeedSurface notSlowerThan(double factor) {
        double fastest = Collections.max(speeds.values());
        SortedMap<Allocation, Double> fast = new TreeMap<>(speeds);
        fast.values().removeIf(speed -> factor * speed < fastest);
        return new SpeedSurface(name, globalBatch, fast);
    }

    SortedMap<Allocation, Double> draw(int count, Random random) {
        List<Allocation> sizes = new ArrayList<>(speeds.keySet());
        Collections.shuffle(sizes, random);
        return on(sizes.subList(0, count));
    }

    public SortedMap<Allocation, Double> on(List<Allocation> sizes) {
        SortedMap<Allocation, Double> chosen = new TreeMap<>(speeds);
        chosen.keySet().retainAll(sizes);
        return chosen;
    }

    double error(SpeedFunction speed, Allocation size) {
        return Math.abs(speed.stepsPerSecond(size) / speeds.getOrDefault(size, Double.NaN) - 1);
    }

    public double meanError(SpeedFunction speed) {
        return speeds.keySet().stream()
                .mapToDouble(size -> error(speed, size))
                .average()
                .orElseThrow();
    }

    Allocation worst(SpeedFunction speed) {
        return Collections.max(speeds.keySet(), (a, b) -> Double.compare(error(speed, a), error(speed, b)));
    }
}
