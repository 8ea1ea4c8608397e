package io.optimus.am.coordinator;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;

/**
 * Receives the events of a job. One thread of the coordinator calls it, in order, and its methods must return soon. They
 * may call {@link Coordinator#target} and {@link Coordinator#taskLost}, which return at once. Steps are counted as {@link
 * CoordinatorStatus.Progress} counts them. A listener overrides the events that it wants to hear of.
 */
public interface CoordinatorListener {
    /** The task is connected and has loaded what it needs, so that it can be in a target. */
    default void taskReady(TaskId task) {}

    /** A coordinator that takes over can call the task at this address. */
    default void taskReachable(TaskId task, ServerAddress at) {}

    /**
     * This coordinator has taken over from that of an earlier attempt.
     *
     * @param step the next step; the losses of this step and of later ones are told again
     * @param inMemory whether training goes on with the parameters that tasks hold; otherwise from the newest checkpoint, or
     *     from the beginning
     * @param tasks how many have come
     */
    default void goesOn(long step, boolean inMemory, int tasks) {}

    /** Commands of an earlier attempt run on; {@code tasks} tasks of it have come. */
    default void commandsGoOn(int tasks) {}

    /** The task, which had been told to end, has ended. Its container can be released. */
    default void taskReleased(TaskId task) {}

    /** The task died, hung, or was refused. It is not a member any more, and its process should be ended. */
    default void taskLost(TaskId task, String reason) {}

    /** The first worker has loaded the job's model, to which servers apply gradients by {@code optimizer}. */
    default void modelLoaded(long parameters, Optimizer optimizer) {}

    /** A loss point is complete: the mean training loss of the steps since the last one. */
    default void loss(LossPoint point) {}

    /** The program of the first worker has reported figures. After a step back, it may report them again. */
    default void reported(ProgramReport report) {}

    /** A speed was measured over uninterrupted stepping. */
    default void speed(SpeedSample sample) {}

    /** The steps of a job that adapts its batch have taken these times, on average. */
    default void stepTimes(ThroughputObservation means) {}

    /** The next steps have another batch than the {@code before} samples of the last one. */
    default void batchChanged(int before, CurrentBatch now) {}

    /** A new membership has begun to step. */
    default void resized(Resize resize) {}

    /**
     * Training goes on from a checkpoint: a parameter server was lost with its shard, or commands were restarted.
     *
     * @param fromStep the next step before that
     * @param toStep the next step now, {@code fromStep} or less; losses from it on are reported again
     */
    default void steppedBack(long fromStep, long toStep) {}

    /** Training can be resumed with {@code step}. */
    default void checkpointed(long step) {}

    /** Something failed that training survives, such as a checkpoint that could not be written. */
    void warned(String message);

    /** Training has ended by its stop rule or by {@link Coordinator#stop}, and all tasks have ended. */
    default void finished(TrainingResult result) {}

    /** Training could not go on, and all tasks have ended. */
    void failed(String reason);
}
