package io.optimus.yarn.metrics;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** A source in which every metric has a value. */
public final class EveryMetric {
    private EveryMetric() {}

    /** Lets everything happen once in {@code metrics}. */
    public static void happens(OptimusMetrics metrics) {
        metrics.round(round());
        metrics.fits(new FitFigures(5, 1, OptionalDouble.of(0.02), OptionalDouble.of(0.05)));
        Map<Double, Double> errors = Map.of(0.25, 0.4, 0.5, 0.2, 0.75, 0.1);
        metrics.ended(true, errors, errors);
    }

    /** Who holds the GPUs of a cluster with two leaf queues. */
    public static List<GpuUse> gpus() {
        return List.of(
                new GpuUse("root", false, 12, 4, 5),
                new GpuUse("root.a", true, 6, 4, 1),
                new GpuUse("root.b", true, 6, 0, 4));
    }

    /** A round over three jobs, of which two wait. */
    public static RoundFigures round() {
        JobFigures jobs = new JobFigures(
                3,
                0,
                1,
                1,
                true,
                0,
                1_500,
                new TreeMap<>(
                        Map.of("no-room", new JobFigures.Waits(1, 60_000), "starting", new JobFigures.Waits(1, 2_000))),
                new TreeMap<>(Map.of("root.a", new JobFigures.InQueue(3, 2))));
        return new RoundFigures(
                7, "advise", 12, new StepDurations(() -> 0), jobs, 2, 1_001, List.of("arrival"), "planned");
    }
}
