package io.optimus.am.engine;

import io.optimus.model.Allocation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.function.Function;

/**
 * Computes the gradient of one model on given samples. It runs in one worker process and is used by one thread.
 *
 * <p>Parameters and gradient are two flat vectors of little-endian floats, block after block in the order of {@link #blocks()}.
 * The engine owns both, in direct memory: a pull reads the socket straight into the parameters, and a push writes the gradient
 * from where it is. Given the same parameters and samples, two engines of one kind compute the same.
 */
public interface TrainingEngine extends WorkerEngine {
    /** The flat parameter vector, as long as all blocks together, from position 0 to the limit; written before a step. */
    ByteBuffer parameterBytes();

    /** The flat gradient vector of the last {@link #step}, as long as the parameters. */
    ByteBuffer gradientBytes();

    /** A view of {@link #parameterBytes()}. */
    default FloatBuffer parameters() {
        return floats(parameterBytes());
    }

    /** A view of {@link #gradientBytes()}. */
    default FloatBuffer gradient() {
        return floats(gradientBytes());
    }

    /** A vector of zeros. */
    static ByteBuffer vector(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** A view of a vector. */
    static FloatBuffer floats(ByteBuffer vector) {
        return vector.duplicate().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }

    /** Writes the model's initial parameters; the same seed gives the same parameters everywhere. */
    void initialise(long seed);

    /**
     * Computes the mean gradient over the samples of {@code part} at the current parameters into {@link #gradient()}.
     *
     * @param part a worker's part of a step, with at least one sample
     * @param progress is told how far the step is, as far as the engine knows that before its end
     * @return the mean loss over the samples; NaN or infinite if training diverges
     */
    double step(StepPart part, StepProgress progress);

    /** As {@link #step(StepPart, StepProgress)}, where nobody asks how far it is. */
    default double step(StepPart part) {
        return step(part, StepProgress.IGNORED);
    }

    /**
     * The learning rate and the weight decay of each parameter group for the update with the last {@link #step}'s
     * gradient, group after group; empty if those of the optimizer hold.
     */
    default float[] groupSettings() {
        return new float[0];
    }

    /** Sets the allocation on which the following steps run; engines that pace themselves need it. */
    default void runsOn(Allocation allocation) {}

    /** Whether steps are paced to a given speed function instead of running as fast as the machine does. */
    default boolean paced() {
        return false;
    }

    /** The number of steps that a paced engine started late. More than a few mean that the machine is slower than the pace. */
    default long lateSteps() {
        return 0;
    }

    @Override
    default <T> T match(Function<TrainingEngine, T> ifGradients, Function<GroupEngine, T> ifGroup) {
        return ifGradients.apply(this);
    }
}
