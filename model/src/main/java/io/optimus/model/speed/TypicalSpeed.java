package io.optimus.model.speed;

import java.util.Optional;

/**
 * The speed of a job before enough sizes were measured for a fit: the average shape of models, corrected by the measured sizes.
 *
 * <p>Of a step on 1 ps + 1 worker, {@value #PER_WORKER} are forward passes that workers share, {@value #FIXED} are fixed,
 * {@value #PER_RATIO} are transfer at the servers, {@value #WORKERS} are for each worker and {@value #SERVERS} for each server.
 * These are the mean shares of eight models (ResNet-50, VGG-16, ResNeXt-110, Inception-BN, seq2seq, a text CNN, DSSM, a word
 * language model) whose speed functions were fitted to measured speeds; that of servers is larger than the mean of 0.001, so
 * that no server is free. In asynchronous mode a worker has a batch of its own, so that its passes are fixed too.
 *
 * <p>Example: a synchronous job does 1 step/s on 1 ps + 1 worker; it is believed to do 1.12 steps/s on 2 + 1 (0.89 s) and 1.16 on
 * 2 + 2 (0.86 s).
 *
 * <p>The estimate is poor but needed: a job without one could not be compared with jobs whose speed is known. If those could use
 * the whole cluster, it would never run on a second size and never be measured.
 */
public final class TypicalSpeed {
    private static final double PER_WORKER = 0.37;
    private static final double FIXED = 0.355;
    static final double PER_RATIO = 0.23;
    private static final double WORKERS = 0.04;
    private static final double SERVERS = 0.005;

    private TypicalSpeed() {}

    /**
     * The typical function through {@code measured}; empty if nothing was measured.
     *
     * @param form the form of the job's functions
     * @param measured the measured sizes, as {@link SpeedSamples#sizes()} gives them
     */
    public static Optional<SpeedFunction> through(SpeedForm form, MeasuredSizes measured) {
        if (measured.isEmpty()) {
            return Optional.empty();
        }
        SpeedFunction scaled = form.function(coefficients(form, secondsOnOneOfEach(form, measured)));
        return Optional.of(new MeasuredSpeed(scaled, measured));
    }

    /** The seconds of a step on 1 ps + 1 worker that follow from {@code measured}: their geometric mean, 1 without measurements. */
    static double secondsOnOneOfEach(SpeedForm form, MeasuredSizes measured) {
        SpeedFunction ofOneSecond = form.function(coefficients(form, 1));
        return Math.exp(measured.sizes().stream()
                .mapToDouble(size -> Math.log(ofOneSecond.stepsPerSecond(size.allocation()) / size.stepsPerSecond()))
                .average()
                .orElse(0));
    }

    /** The coefficients, in order of the form's features, with which a step takes {@code seconds} on 1 ps + 1 worker. */
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
