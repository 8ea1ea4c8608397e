package io.optimus.sls;

import io.optimus.sls.Measurement.CallTimes;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A figure of which both sides are compared.
 *
 * @param name its name in the file of results
 * @param words its name for people, with the unit
 * @param value reads it from a measurement
 * @param limited whether ours may be only so many times stock
 */
record Figure(String name, String words, ToDoubleFunction<Measurement> value, boolean limited) {
    /** All, in the order of the table. */
    static final List<Figure> ALL = Stream.of(
                    percentiles("allocate", "allocate", true, Measurement::allocate),
                    percentiles(
                            "ordinaryAllocate", "that of ordinary applications", false, Measurement::ordinaryAllocate),
                    List.of(
                            limited(
                                    "eventThreadCorePercent",
                                    "event thread, % of a core",
                                    measured -> measured.threads().eventCorePercent()),
                            shown(
                                    "eventThreadMicrosPerHeartbeat",
                                    "event thread, µs a heartbeat",
                                    measured -> measured.threads().eventMicrosPerHeartbeat()),
                            shown("roundThreadCorePercent", "rounds, % of a core", measured -> measured.threads()
                                    .roundCorePercent()),
                            shown("containersPerSecond", "containers granted a second", measured -> measured.rates()
                                    .containers()),
                            shown(
                                    "ordinaryContainersPerSecond",
                                    "  to ordinary applications",
                                    measured -> measured.rates().ordinaryContainers()),
                            shown("allocatesPerSecond", "allocate calls a second", measured -> measured.rates()
                                    .allocateCalls()),
                            shown("heartbeatsPerSecond", "heartbeats handled a second", measured -> measured.rates()
                                    .heartbeats()),
                            shown("heapMb", "heap at the end, MB", Measurement::heapMb),
                            shown("trainingTasks", "training tasks at the end", measured -> measured.training()
                                    .tasks()),
                            shown("trainingJobs", "training jobs that started", measured -> measured.training()
                                    .jobs()),
                            shown("plansFollowed", "plans followed by jobs", measured -> measured.training()
                                    .plansFollowed())))
            .flatMap(List::stream)
            .toList();

    /** Those of which ours may be only so many times stock. */
    static final List<Figure> LIMITED = ALL.stream().filter(Figure::limited).toList();

    private static Figure limited(String name, String words, ToDoubleFunction<Measurement> value) {
        return new Figure(name, words, value, true);
    }

    private static Figure shown(String name, String words, ToDoubleFunction<Measurement> value) {
        return new Figure(name, words, value, false);
    }

    private static List<Figure> percentiles(
            String name, String words, boolean limited, Function<Measurement, CallTimes> times) {
        return List.of(
                new Figure(
                        name + "MicrosP50",
                        words + " p50, µs",
                        measured -> times.apply(measured).elapsed().p50(),
                        limited),
                new Figure(
                        name + "MicrosP99",
                        words + " p99, µs",
                        measured -> times.apply(measured).elapsed().p99(),
                        limited),
                new Figure(
                        name + "MicrosP999",
                        words + " p99.9, µs",
                        measured -> times.apply(measured).elapsed().p999(),
                        limited),
                shown(name + "ProcessorMicrosP50", "  processor time p50", measured -> times.apply(measured)
                        .processor()
                        .p50()),
                shown(name + "ProcessorMicrosP99", "  processor time p99", measured -> times.apply(measured)
                        .processor()
                        .p99()),
                shown(name + "ProcessorMicrosP999", "  processor time p99.9", measured -> times.apply(measured)
                        .processor()
                        .p999()));
    }

    double of(Measurement measured) {
        return value.applyAsDouble(measured);
    }
}
