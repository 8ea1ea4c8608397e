package io.optimus.model.speed;

import java.util.Optional;

/**
 * What is believed of a job's speed before enough sizes were measured for a fit: the shape that models have on average,
 * through the sizes that were measured.
 *
 * <p>Its seconds are {@value #PER_WORKER} of forward passes that workers share, {@value #FIXED} fixed, {@value #PER_RATIO}
 * of transfer at the servers, {@value #WORKERS} per worker and {@value #SERVERS} per server, of what a step would take
 * on 1 ps + 1 worker: the mean shares of eight models (ResNet-50, VGG-16, ResNeXt-110, Inception-BN, seq2seq, a text CNN,
 * DSSM, a word language model) whose speed functions were fitted to measured speeds; of servers more than their 0.001, so
 * that none is free. In asynchronous mode a worker's
 * batch is its own, so that its passes are fixed too.
 *
 * <p>Example: synchronous, 1 step/s measured on 1 ps + 1 worker: 1.12 steps/s are believed on 2 + 1 (0.89 s), 1.16 on
 * 2 + 2 (0.86 s).
 *
 * <p>Poor, but a figure: a job without one could not be compared with jobs that are known, and where those have use for
 * the whole cluster it would never run on a second size, and never be known. On what is given for it, it is measured.
 */
public final class TypicalSpeed {
    private static final double PER_WORKER = 0.37;
    private static final double FIXED = 0.355;
    static final double PER_RATIO = 0.23;
    private static final double WORKERS = 0.04;
    private static final double SERVERS = 0.005;

    private TypicalSpeed() {}

    /**
     * The typical function through {@code measured}; empty where nothing was measured.
     *
     * @param form of the job's functions
     * @param measured what ran, as {@link SpeedSamples#sizes()} gives it
     */
    public static Optional<SpeedFunction> through(SpeedForm form, MeasuredSizes measured) {
        if (measured.isEmpty()) {
            return Optional.empty();
        }
        SpeedFunction scaled = form.function(coefficients(form, secondsOnOneOfEach(form, measured)));
        return Optional.of(new MeasuredSpeed(scaled, measured));
    }

    /** What a step would take on 1 ps + 1 worker by each of {@code measured}: their geometric mean, 1 where there is none. */
    static double secondsOnOneOfEach(SpeedForm form, MeasuredSizes measured) {
        SpeedFunction ofOneSecond = form.function(coefficients(form, 1));
        return Math.exp(measured.sizes().stream()
                .mapToDouble(size -> Math.log(ofOneSecond.stepsPerSecond(size.allocation()) / size.stepsPerSecond()))
                .average()
                .orElse(0));
    }

    /** In order of the form's features, such that a step takes {@code seconds} on 1 ps + 1 worker. */
    public static double[] coefficients(SpeedForm form, double seconds) {
        if (form instanceof SpeedForm.Synchronous synchronous) {
            return new double[] {
                seconds * PER_WORKER / synchronous.globalBatch(),
                seconds * FIXED,
                seconds * PER_RATIO,
                seconds * WORKERS,
                seconds * SERVERS
            };
        }
        return new double[] {seconds * (PER_WORKER + FIXED), seconds * PER_RATIO, seconds * WORKERS, seconds * SERVERS};
    }
}
