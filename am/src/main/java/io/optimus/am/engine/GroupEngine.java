package io.optimus.am.engine;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * Trains in a group: the workers of a membership, each of which holds all parameters and state, and which average their
 * gradients among themselves. It steps by itself, and tells its {@link Listener} how far it is.
 */
public interface GroupEngine extends WorkerEngine {
    /** The port at which the first worker of a group lets the others meet. */
    int rendezvousPort();

    /** As many floats as all blocks together: takes copies of parameters and state, and gives those that are loaded. */
    FloatBuffer memory();

    /** Sets the receiver of what happens, before anything else is called. */
    void follow(Listener listener);

    /** Forms a group, and steps in it. */
    void begin(Membership membership);

    /** Makes the step in flight, or the next one, the last of {@code membership}; called on the first worker only. */
    void stop(String membership);

    /** Gives up the step in flight. */
    void abort(String membership);

    /** Copies parameters and state into {@link #memory()} before {@code step}; ignored if that step is over. */
    void save(long step);

    /** The copy in {@link #memory()} is not needed any more. */
    void taken();

    @Override
    default <T> T match(Function<TrainingEngine, T> ifGradients, Function<GroupEngine, T> ifGroup) {
        return ifGroup.apply(this);
    }

    /**
     * A group of workers.
     *
     * @param membership its number
     * @param step the first step
     * @param endStep all stop before this step by themselves; −1: training has no known end
     * @param rank the rank of this worker, from 0
     * @param workers the number of workers
     * @param samples the samples of the steps
     * @param transfer how parameters and state are handed on before the first step
     */
    record Membership(
            String membership, long step, long endStep, int rank, int workers, Samples samples, Transfer transfer) {}

    /**
     * The samples of steps.
     *
     * @param from the position of the first step's first sample in the endless sequence of samples
     * @param batch the samples of each step of all workers
     * @param accumulate in how many more parts than one each worker computes its samples of a step
     */
    record Samples(long from, int batch, int accumulate) {}

    /**
     * How workers meet, and who sends parameters and state to whom.
     *
     * @param host the host of the first worker
     * @param port its {@link #rendezvousPort()}
     * @param source the rank of the worker that sends
     * @param receivers the ranks of the workers that receive; empty: all have the same
     * @param load whether the source takes parameters and state from its {@link #memory()} first
     */
    record Transfer(String host, int port, int source, List<Integer> receivers, boolean load) {
        public Transfer {
            receivers = List.copyOf(receivers);
        }
    }

    /** Receives what happens, on one thread of the engine. */
    interface Listener {
        /** The group is formed, all have the same parameters and state, and the first step begins. */
        void started(String membership, long step);

        /** A step is done, with this mean loss over the samples of all workers. */
        void stepped(String membership, long step, double loss, StepMeasurement measurement);

        /** All workers have stopped after the same step. The next one is {@code step}. */
        void atBoundary(String membership, long step);

        /** The step in flight was given up. The parameters are those before {@code step}. */
        void interrupted(String membership, long step, String reason);

        /** The memory holds parameters and state before {@code step}, until {@link #taken()}. */
        void saved(long step);
    }
}
