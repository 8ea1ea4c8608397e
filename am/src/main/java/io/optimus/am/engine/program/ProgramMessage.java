package io.optimus.am.engine.program;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.optimus.am.engine.GroupEngine;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.StepMeasurement;
import io.optimus.model.throughput.GradientNoise;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A message between a worker and the owner's program: one JSON object on a line, whose field {@code type} names the
 * record. The program's memory holds two vectors of float32 numbers: all parameters, then all gradients.
 * Where programs apply gradients themselves, the first vector is a copy of all parameters and state. The second one holds
 * what servers average, the blocks of the kinds {@code parameter} and {@code statistic}, which come first; there is none where
 * programs average among themselves.
 */
sealed interface ProgramMessage {
    /** The version of this protocol. */
    int VERSION = 1;

    /** From the worker to the program. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Welcome.class, name = "welcome"),
        @JsonSubTypes.Type(value = Step.class, name = "step"),
        @JsonSubTypes.Type(value = Begin.class, name = "begin"),
        @JsonSubTypes.Type(value = Stop.class, name = "stop"),
        @JsonSubTypes.Type(value = GoOn.class, name = "go-on"),
        @JsonSubTypes.Type(value = Abort.class, name = "abort"),
        @JsonSubTypes.Type(value = Save.class, name = "save"),
        @JsonSubTypes.Type(value = Taken.class, name = "taken"),
        @JsonSubTypes.Type(value = Average.class, name = "average"),
        @JsonSubTypes.Type(value = AverageFailed.class, name = "average-failed"),
        @JsonSubTypes.Type(value = Finish.class, name = "finish"),
        @JsonSubTypes.Type(value = Leave.class, name = "leave")
    })
    sealed interface ToProgram extends ProgramMessage {}

    /** From the program to the worker. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Ready.class, name = "ready"),
        @JsonSubTypes.Type(value = Loss.class, name = "loss"),
        @JsonSubTypes.Type(value = GradientFrom.class, name = "gradient-from"),
        @JsonSubTypes.Type(value = Gradient.class, name = "gradient"),
        @JsonSubTypes.Type(value = Computing.class, name = "computing"),
        @JsonSubTypes.Type(value = Waiting.class, name = "waiting"),
        @JsonSubTypes.Type(value = BetweenEpochs.class, name = "between-epochs"),
        @JsonSubTypes.Type(value = Started.class, name = "started"),
        @JsonSubTypes.Type(value = AtDecision.class, name = "at-decision"),
        @JsonSubTypes.Type(value = Share.class, name = "share"),
        @JsonSubTypes.Type(value = Stepped.class, name = "stepped"),
        @JsonSubTypes.Type(value = Boundary.class, name = "boundary"),
        @JsonSubTypes.Type(value = Interrupted.class, name = "interrupted"),
        @JsonSubTypes.Type(value = Saved.class, name = "saved"),
        @JsonSubTypes.Type(value = Report.class, name = "report"),
        @JsonSubTypes.Type(value = Finished.class, name = "finished"),
        @JsonSubTypes.Type(value = Failed.class, name = "failed")
    })
    sealed interface FromProgram extends ProgramMessage {}

    /**
     * The first message.
     *
     * @param task the worker's name
     * @param mode {@code synchronous} or {@code asynchronous}
     * @param communication {@code parameter-server}, {@code averaging-server} or {@code all-reduce}
     * @param adaptive whether the job adapts its batch
     */
    record Welcome(int version, String task, long seed, String mode, String communication, boolean adaptive)
            implements ToProgram {}

    /**
     * The parameters are those before {@code step}: compute the gradient of a part of it. The numbers are those of
     * {@link io.optimus.am.engine.StepPart}.
     */
    record Step(long step, long from, int count, long stride, int rank, int workers, int batch) implements ToProgram {}

    /**
     * Form a group with the programs of the other workers, and step in it. The fields are those of {@link
     * GroupEngine.Membership} and its parts.
     *
     * @param rendezvous where the programs meet
     */
    record Begin(
            String membership,
            long step,
            long from,
            long endStep,
            int rank,
            int workers,
            int batch,
            int accumulate,
            Address rendezvous,
            int source,
            List<Integer> receivers,
            boolean load)
            implements ToProgram {
        static Begin of(GroupEngine.Membership group) {
            GroupEngine.Transfer transfer = group.transfer();
            return new Begin(
                    group.membership(),
                    group.step(),
                    group.samples().from(),
                    group.endStep(),
                    group.rank(),
                    group.workers(),
                    group.samples().batch(),
                    group.samples().accumulate(),
                    new Address(transfer.host(), transfer.port()),
                    transfer.source(),
                    transfer.receivers(),
                    transfer.load());
        }
    }

    /** Where the first program of a group listens. */
    record Address(String host, int port) {}

    /** The step in flight, or the next one, is the last of the membership. */
    record Stop(String membership) implements ToProgram {}

    /** The answer to {@link AtDecision}, after {@link Stop} where training ends. Ask again before step {@code decision}. */
    record GoOn(String membership, long decision) implements ToProgram {}

    /** Give up the step in flight. */
    record Abort(String membership) implements ToProgram {}

    /** Copy parameters and state into the memory before this step. */
    record Save(long step) implements ToProgram {}

    /** The copy in the memory is not needed any more. */
    record Taken() implements ToProgram {}

    /** The mean gradient of a step is in memory. The fields are those of {@link GroupEngine.Average}. */
    record Average(String membership, long step, double loss, boolean last) implements ToProgram {}

    /** The mean gradient of a step could not be had: give the step up. */
    record AverageFailed(String membership, long step, String reason) implements ToProgram {}

    /** Training is over, and the parameters are final. */
    record Finish() implements ToProgram {}

    /** This worker is not needed any more: end now. */
    record Leave(String reason) implements ToProgram {}

    /**
     * What the program trains, once it asks for its first batch.
     *
     * @param pid the program's process
     * @param memory the two vectors
     * @param blocks the ranges of a vector, in order
     * @param samples the number of training samples
     * @param batch the samples of a step
     * @param epochs the passes over the samples after which the program ends
     * @param groups the number of the optimizer's parameter groups
     * @param bends the epochs at which the owner says that the learning rate falls
     * @param rendezvous the port at which the programs of a group meet; empty if parameter servers apply gradients
     */
    record Ready(
            long pid,
            Memory memory,
            List<Block> blocks,
            int samples,
            int batch,
            int epochs,
            OptimizerKind optimizer,
            int groups,
            Optional<List<Double>> bends,
            Optional<Integer> rendezvous)
            implements FromProgram {}

    /** A file whose first vector has {@code floats} numbers. */
    record Memory(String path, long floats) {}

    /**
     * A range of a vector.
     *
     * @param shape the lengths of the dimensions; empty for a scalar
     * @param kind that of {@link io.optimus.am.engine.ParameterBlock}, in lower case
     * @param group the parameter group; empty for other kinds
     */
    record Block(String name, List<Integer> shape, String kind, Optional<Integer> group) {}

    /**
     * The forward pass of the last step's part is over. Comes only where the gradient shall be pushed while the rest of it is computed.
     * The first two fields are those of the {@link Gradient} that follows.
     *
     * @param parametersRead whether the program reads the parameters in memory no more in this step, so that the next ones may replace
     *     them
     */
    @SuppressWarnings("ArrayRecordComponent") // received, never compared
    record Loss(double loss, double[][] groups, boolean parametersRead) implements FromProgram {}

    /** The gradient in memory is complete from float {@code from} on. Comes after {@link Loss}. */
    record GradientFrom(int from) implements FromProgram {}

    /**
     * The mean gradient of the last step's part is in memory.
     *
     * @param loss the mean loss over the samples; NaN or infinite if training diverges
     * @param groups the learning rate and the weight decay of each parameter group for this update
     */
    @SuppressWarnings("ArrayRecordComponent") // received, never compared
    record Gradient(double loss, double[][] groups) implements FromProgram {}

    /** The program computes its part of a step, after it was between epochs or waited. */
    record Computing() implements FromProgram {}

    /** The program has computed its part of a step, and waits for the programs of other workers. */
    record Waiting() implements FromProgram {}

    /** An epoch's loop over the loader has ended. What follows until {@link Computing} is no part of a step. */
    record BetweenEpochs() implements FromProgram {}

    /** The group is formed and the first step begins. */
    record Started(String membership, long step) implements FromProgram {}

    /** The first program waits with this step until it is decided whether training goes on. */
    record AtDecision(String membership, long step) implements FromProgram {}

    /** This worker's mean gradient is in memory: average it. The fields are those of {@link GroupEngine.Share}. */
    record Share(String membership, long step, int count, int batch, double loss, boolean last)
            implements FromProgram {}

    /**
     * A step is done. The fields from {@code noise} on are there if the job adapts its batch.
     *
     * @param loss the mean loss over the samples of all workers
     * @param noise the gradient's noise, smoothed; empty while it is unknown
     * @param gradSeconds mean time of a part's forward and backward pass; empty if it was not measured
     * @param syncSeconds time of the last part, with the all-reduce; empty if it was not measured
     * @param atomic the most samples that the program computed at a time
     */
    record Stepped(
            String membership,
            long step,
            double loss,
            Optional<Noise> noise,
            Optional<Double> gradSeconds,
            Optional<Double> syncSeconds,
            Optional<Integer> atomic)
            implements FromProgram {
        StepMeasurement measurement() {
            return new StepMeasurement(noise.flatMap(Noise::valid), times());
        }

        private Optional<StepMeasurement.Times> times() {
            return gradSeconds.isEmpty() || syncSeconds.isEmpty() || atomic.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new StepMeasurement.Times(atomic.get(), gradSeconds.get(), syncSeconds.get()));
        }
    }

    /** The noise of the gradient of an initial batch: |E g|² and E|g − E g|². */
    record Noise(double squaredNorm, double variance) {
        /** Empty if it is no noise, as where float32 numbers overflow. */
        Optional<GradientNoise> valid() {
            boolean valid = squaredNorm >= 0 && variance >= 0 && Double.isFinite(squaredNorm + variance);
            return valid ? Optional.of(new GradientNoise(squaredNorm, variance)) : Optional.empty();
        }
    }

    /** The program has stopped after the last step of the membership. The next one is {@code step}. */
    record Boundary(String membership, long step) implements FromProgram {}

    /** A step was given up. The parameters are those before {@code step}. */
    record Interrupted(String membership, long step, String reason) implements FromProgram {}

    /** The memory holds parameters and state before {@code step}. */
    record Saved(long step) implements FromProgram {}

    /**
     * News for the owner and the scheduler.
     *
     * @param values figures by name
     * @param bends all epochs at which the learning rate falls, if the program knows more of them than before
     */
    record Report(int epoch, Map<String, Double> values, Optional<List<Double>> bends) implements FromProgram {}

    /** The loop over the epochs has ended after {@link Finish}. */
    record Finished() implements FromProgram {}

    /** An uncaught exception and its place; the program ends. */
    record Failed(String reason, String where) implements FromProgram {}

    /** The optimizer as the program names it; learning rate and weight decay are those of the first group. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Sgd.class, name = "sgd"),
        @JsonSubTypes.Type(value = Adam.class, name = "adam"),
        @JsonSubTypes.Type(value = AdamW.class, name = "adamw"),
        @JsonSubTypes.Type(value = Own.class, name = "own")
    })
    sealed interface OptimizerKind {
        Optimizer optimizer();
    }

    record Sgd(double learningRate, double momentum, double weightDecay) implements OptimizerKind {
        @Override
        public Optimizer optimizer() {
            return new Optimizer.Sgd(learningRate, momentum, weightDecay);
        }
    }

    record Adam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay)
            implements OptimizerKind {
        @Override
        public Optimizer optimizer() {
            return new Optimizer.Adam(learningRate, beta1, beta2, epsilon, weightDecay, false);
        }
    }

    record AdamW(double learningRate, double beta1, double beta2, double epsilon, double weightDecay)
            implements OptimizerKind {
        @Override
        public Optimizer optimizer() {
            return new Optimizer.Adam(learningRate, beta1, beta2, epsilon, weightDecay, true);
        }
    }

    /** An optimizer that the program applies itself. */
    record Own(String name) implements OptimizerKind {
        @Override
        public Optimizer optimizer() {
            return new Optimizer.Own(name);
        }
    }
}
