package io.optimus.am.engine.program;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.optimus.am.engine.Optimizer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A message between a worker and the owner's program: one JSON object on a line, whose field {@code type} names the
 * record. The program's memory holds two vectors of float32 numbers: all parameters, then all gradients.
 */
sealed interface ProgramMessage {
    /** The version of this protocol. */
    int VERSION = 1;

    /** From the worker to the program. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Welcome.class, name = "welcome"),
        @JsonSubTypes.Type(value = Step.class, name = "step"),
        @JsonSubTypes.Type(value = Finish.class, name = "finish"),
        @JsonSubTypes.Type(value = Leave.class, name = "leave")
    })
    sealed interface ToProgram extends ProgramMessage {}

    /** From the program to the worker. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Ready.class, name = "ready"),
        @JsonSubTypes.Type(value = Gradient.class, name = "gradient"),
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
     */
    record Welcome(int version, String task, long seed, String mode) implements ToProgram {}

    /**
     * The parameters are those before {@code step}: compute the gradient of a part of it. The numbers are those of
     * {@link io.optimus.am.engine.StepPart}.
     */
    record Step(long step, long from, int count, long stride, int rank, int workers, int batch) implements ToProgram {}

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
     */
    record Ready(
            long pid,
            Memory memory,
            List<Block> blocks,
            int samples,
            int batch,
            int epochs,
            OptimizerKind optimizer,
            int groups)
            implements FromProgram {}

    /** A file of 2 · {@code floats} numbers. */
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
     * The mean gradient of the last step's part is in memory.
     *
     * @param loss the mean loss over the samples; NaN or infinite if training diverges
     * @param groups the learning rate and the weight decay of each parameter group for this update
     */
    @SuppressWarnings("ArrayRecordComponent") // received, never compared
    record Gradient(double loss, double[][] groups) implements FromProgram {}

    /** Figures for the owner. */
    record Report(int epoch, Map<String, Double> values) implements FromProgram {}

    /** The loop over the epochs has ended after {@link Finish}. */
    record Finished() implements FromProgram {}

    /** An uncaught exception and its place; the program ends. */
    record Failed(String reason, String where) implements FromProgram {}

    /** The optimizer as the program names it; learning rate and weight decay are those of the first group. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Sgd.class, name = "sgd"),
        @JsonSubTypes.Type(value = Adam.class, name = "adam"),
        @JsonSubTypes.Type(value = AdamW.class, name = "adamw")
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
}
