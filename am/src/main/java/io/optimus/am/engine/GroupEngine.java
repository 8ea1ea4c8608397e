package io.optimus.am.engine;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Function;

/**
 * Trains in a group: the workers of a membership, each of which holds all parameters and state. Either they average their
 * gradients among themselves, or each asks its {@link Listener} for the average, once in a step. An engine steps by itself,
 * and tells the listener how far it is.
 */
public interface GroupEngine extends WorkerEngine {
    /** The port at which the first worker of a group lets the others meet. */
    int rendezvousPort();

    /** As many floats as all blocks together: takes copies of parameters and state, and gives those that are loaded. */
    FloatBuffer memory();

    /**
     * Takes this worker's mean gradient and its statistics, and then gives those of all workers: the first blocks, of the kinds
     * PARAMETER and STATISTIC; little-endian floats. Empty if workers average among themselves.
     */
    ByteBuffer averaged();

    /** Sets the receiver of what happens, before anything else is called. */
    void follow(Listener listener);

    /** Forms a group, and steps in it. */
    void begin(Membership membership);

    /** Makes the step in flight, or the next one, the last of {@code membership}; called on the first worker only. */
    void stop(String membership);

    /**
     * Answers {@link Listener#atDecision}: training goes on in {@code membership}, or {@link #stop} came before.
     *
     * @param decision the step before which the first worker asks again; {@link Long#MAX_VALUE}: before none
     */
    void goOn(String membership, long decision);

    /** Gives up the step in flight. */
    void abort(String membership);

    /** Copies parameters and state into {@link #memory()} before {@code step}; ignored if that step is over. */
    void save(long step);

    /** The copy in {@link #memory()} is not needed any more. */
    void taken();

    /** What {@link Listener#average} was called for is in {@link #averaged()}. */
    void average(Average average);

    /** The average could not be made. The engine gives up its step. */
    void averageFailed(String membership, long step, String reason);

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

    /**
     * A worker's part in the average of a step.
     *
     * @param count the samples of this worker, 1 or more
     * @param batch the samples of all workers
     * @param loss the mean loss over this worker's samples
     * @param last whether this worker asks for this step to be the membership's last
     */
    record Share(String membership, long step, int count, int batch, double loss, boolean last) {}

    /**
     * The average of a step.
     *
     * @param loss the mean loss over the samples of all workers
     * @param last whether this step is the membership's last
     */
    record Average(String membership, long step, double loss, boolean last) {}

    /** Receives what happens, on one thread of the engine. */
    interface Listener {
        /** The group is formed, all have the same parameters and state, and the first step begins. */
        void started(String membership, long step);

        /**
         * The first worker waits with {@code step}, the first of a membership or one that {@link GroupEngine#goOn} named, until
         * it is decided whether training goes on.
         */
        void atDecision(String membership, long step);

        /** This worker's part of a step is in {@link GroupEngine#averaged()}. Answers with the average, or its failure. */
        void average(Share share);

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
