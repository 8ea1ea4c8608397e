package io.optimus.sls;

import java.util.List;
import java.util.function.ToDoubleFunction;

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
    static final List<Figure> ALL = List.of(
            limited("allocateMicrosP50", "allocate p50, µs", Measurement::allocateMicrosP50),
            limited("allocateMicrosP99", "allocate p99, µs", Measurement::allocateMicrosP99),
            limited("allocateMicrosP999", "allocate p99.9, µs", Measurement::allocateMicrosP999),
            shown("allocateProcessorMicrosP50", "  its processor time, p50", Measurement::allocateProcessorMicrosP50),
            shown("allocateProcessorMicrosP99", "  its processor time, p99", Measurement::allocateProcessorMicrosP99),
            shown(
                    "allocateProcessorMicrosP999",
                    "  its processor time, p99.9",
                    Measurement::allocateProcessorMicrosP999),
            limited("eventThreadCorePercent", "event thread, % of a core", Measurement::eventThreadCorePercent),
            shown(
                    "eventThreadMicrosPerHeartbeat",
                    "event thread, µs a heartbeat",
                    Measurement::eventThreadMicrosPerHeartbeat),
            shown("roundThreadCorePercent", "rounds, % of a core", Measurement::roundThreadCorePercent),
            shown("containersPerSecond", "containers granted a second", Measurement::containersPerSecond),
            shown("allocatesPerSecond", "allocate calls a second", Measurement::allocatesPerSecond),
            shown("heartbeatsPerSecond", "heartbeats handled a second", Measurement::heartbeatsPerSecond),
            shown("heapMb", "heap at the end, MB", Measurement::heapMb),
            shown("trainingTasks", "training tasks at the end", Measurement::trainingTasks),
            shown("trainingJobs", "training jobs with tasks", Measurement::trainingJobs),
            shown("plansFollowed", "plans followed by jobs", Measurement::plansFollowed));

    /** Those of which ours may be only so many times stock. */
    static final List<Figure> LIMITED = ALL.stream().filter(Figure::limited).toList();

    private static Figure limited(String name, String words, ToDoubleFunction<Measurement> value) {
        return new Figure(name, words, value, true);
    }

    private static Figure shown(String name, String words, ToDoubleFunction<Measurement> value) {
        return new Figure(name, words, value, false);
    }

    double of(Measurement measured) {
        return value.applyAsDouble(measured);
    }
}
