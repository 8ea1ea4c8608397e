package io.optimus.am.coordinator;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.job.BatchSpec;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.JobSpec.Checkpoint;
import io.optimus.am.wire.Message;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a coordinator's job.
 *
 * @param steps how a step is done
 * @param stop when training ends by its losses and epochs
 * @param targetAccuracy the accuracy whose report by an owner's program ends training; empty: none does
 * @param minimum the fewest tasks to step with; the job waits while there are fewer
 * @param checkpoint the time and steps between two checkpoints
 * @param timing intervals and time-outs
 * @param batches the batches of a job with all-reduce
 */
public record TrainingSettings(
        Steps steps,
        StopRule stop,
        OptionalDouble targetAccuracy,
        Allocation minimum,
        Checkpoint checkpoint,
        Timing timing,
        Batches batches) {
    /** A job with a fixed batch. */
    public TrainingSettings(
            Steps steps,
            StopRule stop,
            OptionalDouble targetAccuracy,
            Allocation minimum,
            Checkpoint checkpoint,
            Timing timing) {
        this(steps, stop, targetAccuracy, minimum, checkpoint, timing, Batches.of(BatchSpec.FIXED));
    }

    /** Throws if a job cannot run with these settings. */
    public TrainingSettings {
        if (steps.batch() < 1 || checkpoint.everySteps() < 1 || checkpoint.everySeconds() < 1) {
            throw new IllegalArgumentException(
                    "A job needs batch >= 1 and checkpoints at least 1 step and 1 s apart, got batch=" + steps.batch()
                            + " " + checkpoint);
        }
        boolean servers = steps.communication().hasServers();
        if (servers == (minimum.parameterServers() < 1) || minimum.workers() < 1) {
            throw new IllegalArgumentException("A job needs a minimum of at least 1 worker, and of at least 1 ps if it"
                    + " uses parameter servers, got " + minimum + " and " + steps.communication());
        }
    }

    /** What each task is sent first. */
    public Message.Welcome welcome() {
        return new Message.Welcome(
                steps.mode(),
                steps.wireFormat(),
                steps.batch(),
                steps.seed(),
                checkpoint.everySteps(),
                timing.heartbeatMillis(),
                timing.masterSilenceMillis(),
                false);
    }

    /** When training ends where {@code program}, if there is one, also decides it. */
    StopRule stopWith(Optional<ProgramSettings> program) {
        return program.map(decided -> decided.stop(stop)).orElse(stop);
    }

    /**
     * How a step is done.
     *
     * @param mode whether workers wait for each other
     * @param communication how workers combine their gradients
     * @param wireFormat the numbers in which gradients and parameters go to and from parameter servers
     * @param batch the samples of a step, 1 or more; synchronous: of all workers, asynchronous: of one worker
     * @param seed the seed of initial parameters and of the order of samples
     * @param optimizer how gradients become updates
     */
    public record Steps(
            TrainingMode mode,
            Communication communication,
            WireFormat wireFormat,
            int batch,
            long seed,
            Optimizer optimizer) {
        /** Gradients and parameters go as they are. */
        public Steps(TrainingMode mode, Communication communication, int batch, long seed, Optimizer optimizer) {
            this(mode, communication, WireFormat.FLOAT32, batch, seed, optimizer);
        }

        /** How the job's file says that a step is done. */
        public static Steps of(JobSpec spec) {
            return new Steps(
                    spec.mode(),
                    spec.communication(),
                    spec.wireFormat(),
                    spec.globalBatch(),
                    spec.seed(),
                    spec.optimizer());
        }

        /** How a step is done where {@code program}, if there is one, decides. */
        Steps decidedBy(Optional<ProgramSettings> program) {
            return program.map(decided ->
                            new Steps(mode, communication, wireFormat, decided.batch(), seed, decided.optimizer()))
                    .orElse(this);
        }
    }

    /**
     * How a job with all-reduce chooses its batch.
     *
     * @param spec the batches that it may train with
     * @param decideMillis between two looks at whether another batch is better; 1 or more
     */
    public record Batches(BatchSpec spec, long decideMillis) {
        /** As often as Pollux's agents: a change costs some tenths of a second, and the noise changes over minutes. */
        private static final long DECIDE_MILLIS = 30_000;

        /** Looks at it every 30 s. */
        public static Batches of(BatchSpec spec) {
            return new Batches(spec, DECIDE_MILLIS);
        }
    }

    /**
     * Intervals and time-outs.
     *
     * @param heartbeatMillis between two heartbeats, in both directions
     * @param silenceMillis time without a message of a task after which it is lost
     * @param masterSilenceMillis time without a message of the ApplicationMaster after which a task ends itself
     * @param stepMillis time of one step after which a worker counts as hung
     * @param betweenEpochsMillis the same for a program's time between two epochs, and for its first step
     * @param reportMillis between two loss points; 0: one for each step
     * @param speedWindowMillis uninterrupted stepping that makes one speed sample
     * @param storeMillis time for which a store that fails is tried again, where the job waits for it
     */
    public record Timing(
            long heartbeatMillis,
            long silenceMillis,
            long masterSilenceMillis,
            long stepMillis,
            long betweenEpochsMillis,
            long reportMillis,
            long speedWindowMillis,
            long storeMillis) {
        /**
         * A heartbeat each second. A task is lost after 15 s of silence, and ends itself after 10 minutes without its
         * ApplicationMaster. A worker is hung after 5 minutes in a step or 30 between epochs; 2 loss points/s; 5 s speed
         * samples. A store may fail for 10 minutes.
         */
        public static final Timing DEFAULT =
                new Timing(1_000, 15_000, 600_000, 300_000, 1_800_000, 500, 5_000, 600_000);

        /** Moving or saving a shard takes at most 10 minutes, which is 6 GB at 10 MB/s. */
        static final long LONGEST_TRANSFER_MILLIS = 600_000;

        /**
         * The same with other limits for what a job waits for.
         *
         * @param alone how long tasks go on without a word of their ApplicationMaster
         * @param store how long a store may fail
         */
        public Timing withPatience(Duration alone, Duration store) {
            return new Timing(
                    heartbeatMillis,
                    silenceMillis,
                    alone.toMillis(),
                    stepMillis,
                    betweenEpochsMillis,
                    reportMillis,
                    speedWindowMillis,
                    store.toMillis());
        }

        /** The same with other times after which a worker counts as hung, in a step and between epochs. */
        public Timing withLimits(int stepSeconds, int betweenEpochsSeconds) {
            return new Timing(
                    heartbeatMillis,
                    silenceMillis,
                    masterSilenceMillis,
                    TimeUnit.SECONDS.toMillis(stepSeconds),
                    TimeUnit.SECONDS.toMillis(betweenEpochsSeconds),
                    reportMillis,
                    speedWindowMillis,
                    storeMillis);
        }
    }
}
