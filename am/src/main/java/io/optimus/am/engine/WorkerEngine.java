package io.optimus.am.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a worker trains with. Either it computes gradients for parameter servers ({@link TrainingEngine}), or it trains in a
 * group of workers that average gradients among themselves ({@link GroupEngine}).
 */
public interface WorkerEngine extends AutoCloseable {
    /** The tensors of the model and its state in the order of the flat vector; never changes. */
    List<ParameterBlock> blocks();

    /** The number of training samples; sample indices are in [0, this number). */
    int trainingSamples();

    /** What the engine's program decides about the training; empty if the job file decides. Never changes. */
    default Optional<ProgramSettings> programSettings() {
        return Optional.empty();
    }

    /** Sets the receiver of the program's reports, which may be called by any thread. */
    default void reportTo(Consumer<ProgramReport> receiver) {}

    /** The clock of what the engine's program does; empty if calls of the engine tell all of it. */
    default Optional<ActivityClock> clock() {
        return Optional.empty();
    }

    /**
     * Sets the receiver of a failure that ends the engine, also between two calls. It is called once at most, by any
     * thread.
     */
    default void failTo(Consumer<RuntimeException> receiver) {}

    /**
     * Ends training and evaluates the current parameters, which are final, on the held-out samples. Empty if the engine
     * has none: a program reports its own figures.
     */
    Optional<Evaluation> evaluate();

    /** What the engine's program left; to be asked after {@link #evaluate}. */
    default ProgramOutput output() {
        return ProgramOutput.NONE;
    }

    /** Calls one of the functions, by the kind of this engine. */
    <T> T match(Function<TrainingEngine, T> ifGradients, Function<GroupEngine, T> ifGroup);

    @Override
    void close();
}
