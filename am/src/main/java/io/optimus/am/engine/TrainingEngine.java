package io.optimus.am.engine;

import io.optimus.model.Allocation;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Computes the gradient of one model on given samples. It runs in one worker process and is used by one thread.
 *
 * <p>Parameters and gradient are two flat vectors, block after block in the order of {@link #blocks()}. The engine owns
 * both buffers (direct, native byte order): a pull reads the socket straight into {@link #parameters()}, a push writes
 * {@link #gradient()} out. Given the same parameters and samples, two engines of one kind compute the same.
 */
public interface TrainingEngine extends AutoCloseable {
    /** The model's tensors in the order of the flat vector; never changes. */
    List<ParameterBlock> blocks();

    /** The flat parameter vector, as long as all blocks together, at position 0; the caller writes it before a step. */
    FloatBuffer parameters();

    /** The flat gradient vector of the last {@link #step}, as long as the parameters. */
    FloatBuffer gradient();

    /** The number of training samples; sample indices are in [0, this number). */
    int trainingSamples();

    /** Writes the model's initial parameters; the same seed gives the same parameters everywhere. */
    void initialise(long seed);

    /**
     * Computes the mean gradient over {@code samples} at the current parameters into {@link #gradient()}.
     *
     * @param samples indices of training samples, at least one
     * @return the mean loss over the samples; NaN or infinite if training diverges
     */
    double step(int[] samples);

    /** Evaluates the current parameters on the held-out samples. */
    Evaluation evaluate();

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
    void close();
}
