package io.optimus.sim.trace.builtin;

import io.optimus.model.TrainingMode;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.PlacedSpeed;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;

/**
 * The eight models of the workload. Their coefficients of {@code 1/f = t0·M/w + t1 + t2·w/p + t3·w + t4·p}, in seconds,
 * were fitted to speeds that the authors of Optimus measured on their testbed; how their losses fall is our choice.
 *
 * <p>Asynchronous training is derived: a worker computes on a quarter of the global batch, so that {@code w/f = (t0·M/4 +
 * t1) + t2·w/p + t3·w + t4·p}.
 */
enum MeasuredModel {
    RESNET_50("resnet-50", 32, .0039, .4178, .4213, .0074, 0, .12, .10, 7),
    VGG_16("vgg-16", 32, .0169, .5812, .7998, .1364, 0, .10, .15, 7),
    RESNEXT_110("resnext-110", 128, .0005, .1561, .1104, .0199, .0012, .30, .05, 2.3),
    INCEPTION_BN("inception-bn", 128, .0031, .1541, .1664, .0194, .0028, .15, .12, 7),
    SEQ2SEQ("seq2seq", 64, .001, .0541, .0242, .0131, 0, .25, .20, 9),
    CNN_TEXT("cnn-text", 50, .0075, .3445, .0237, .0169, 0, .60, .08, .7),
    DSSM("dssm", 256, .0016, .1177, 0, .0073, .0002, .40, .10, 4),
    WLM("wlm", 160, .0006, .2394, .1586, .0308, 0, .20, .30, 8);

    private static final double ASYNCHRONOUS_PART_OF_BATCH = .25;

    private final String label;
    private final double globalBatch;
    private final double perSample;
    private final double fixed;
    private final double perRatio;
    private final double perWorker;
    private final double perServer;
    private final double lossRate;
    private final double lossLimit;
    private final double lossFall;

    MeasuredModel(
            String label,
            double globalBatch,
            double perSample,
            double fixed,
            double perRatio,
            double perWorker,
            double perServer,
            double lossRate,
            double lossLimit,
            double lossFall) {
        this.label = label;
        this.globalBatch = globalBatch;
        this.perSample = perSample;
        this.fixed = fixed;
        this.perRatio = perRatio;
        this.perWorker = perWorker;
        this.perServer = perServer;
        this.lossRate = lossRate;
        this.lossLimit = lossLimit;
        this.lossFall = lossFall;
    }

    String label() {
        return label;
    }

    ConvergingJob.Decay losses() {
        return new ConvergingJob.Decay(lossRate, lossLimit, lossFall);
    }

    SpeedForm form(TrainingMode mode) {
        return SpeedForm.of(mode, globalBatch);
    }

    /** Between nodes, a transfer takes twice as long as within one: our choice. */
    PlacedSpeed truth(TrainingMode mode, int tasksPerNode) {
        return new PlacedSpeed(withinANode(mode), form(mode), perRatio, tasksPerNode);
    }

    private SpeedFunction withinANode(TrainingMode mode) {
        return switch (mode) {
            case SYNCHRONOUS -> new SynchronousSpeed(globalBatch, perSample, fixed, perRatio, perWorker, perServer);
            case ASYNCHRONOUS -> new AsynchronousSpeed(
                    perSample * globalBatch * ASYNCHRONOUS_PART_OF_BATCH + fixed, perRatio, perWorker, perServer);
        };
    }
}
