package io.optimus.sim.trace.builtin;

import io.optimus.model.TrainingMode;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.PlacedSpeed;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import io.optimus.sim.trace.builtin.ConvergingJob.Decay;

/**
 * The eight models of the workload. Their coefficients of {@code 1/f = t0·M/w + t1 + t2·w/p + t3·w + t4·p}, in seconds,
 * were fitted to speeds that the authors of Optimus measured on their testbed. How their losses fall is our choice.
 *
 * <p>Asynchronous training is derived: a worker computes on a quarter of the global batch, so that {@code w/f = (t0·M/4 +
 * t1) + t2·w/p + t3·w + t4·p}.
 */
// Records of numbers are immutable, which Error Prone does not see.
@SuppressWarnings("ImmutableEnumChecker")
enum MeasuredModel {
    RESNET_50("resnet-50", 32, new Seconds(.0039, .4178, .4213, .0074, 0), new Decay(.12, .10, 7)),
    VGG_16("vgg-16", 32, new Seconds(.0169, .5812, .7998, .1364, 0), new Decay(.10, .15, 7)),
    RESNEXT_110("resnext-110", 128, new Seconds(.0005, .1561, .1104, .0199, .0012), new Decay(.30, .05, 2.3)),
    INCEPTION_BN("inception-bn", 128, new Seconds(.0031, .1541, .1664, .0194, .0028), new Decay(.15, .12, 7)),
    SEQ2SEQ("seq2seq", 64, new Seconds(.001, .0541, .0242, .0131, 0), new Decay(.25, .20, 9)),
    CNN_TEXT("cnn-text", 50, new Seconds(.0075, .3445, .0237, .0169, 0), new Decay(.60, .08, .7)),
    DSSM("dssm", 256, new Seconds(.0016, .1177, 0, .0073, .0002), new Decay(.40, .10, 4)),
    WLM("wlm", 160, new Seconds(.0006, .2394, .1586, .0308, 0), new Decay(.20, .30, 8));

    private static final double ASYNCHRONOUS_PART_OF_BATCH = .25;

    private final String label;
    private final double globalBatch;
    private final Seconds seconds;
    private final Decay losses;

    /** The coefficients t0 to t4 of a model, in seconds. */
    private record Seconds(double perSample, double fixed, double perRatio, double perWorker, double perServer) {}

    MeasuredModel(String label, double globalBatch, Seconds seconds, Decay losses) {
        this.label = label;
        this.globalBatch = globalBatch;
        this.seconds = seconds;
        this.losses = losses;
    }

    String label() {
        return label;
    }

    Decay losses() {
        return losses;
    }

    SpeedForm form(TrainingMode mode) {
        return SpeedForm.of(mode, globalBatch);
    }

    /** Returns the true speed. A transfer between nodes takes twice as long as within a node, which is our choice. */
    PlacedSpeed truth(TrainingMode mode, int tasksPerNode) {
        return new PlacedSpeed(withinANode(mode), form(mode), seconds.perRatio(), tasksPerNode);
    }

    private SpeedFunction withinANode(TrainingMode mode) {
        return switch (mode) {
            case SYNCHRONOUS -> new SynchronousSpeed(
                    globalBatch,
                    seconds.perSample(),
                    seconds.fixed(),
                    seconds.perRatio(),
                    seconds.perWorker(),
                    seconds.perServer());
            case ASYNCHRONOUS -> new AsynchronousSpeed(
                    seconds.perSample() * globalBatch * ASYNCHRONOUS_PART_OF_BATCH + seconds.fixed(),
                    seconds.perRatio(),
                    seconds.perWorker(),
                    seconds.perServer());
        };
    }
}
