package io.optimus.am.coordinator;

import io.optimus.am.membership.Resize;
import io.optimus.am.wire.TaskId;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;

/**
 * Hears what happens in a job. Called by one thread of the coordinator, in order; must return soon. It may call {@link
 * Coordinator#target} and {@link Coordinator#taskLost}, which only take note.
 */
public interface CoordinatorListener {
    /** The task is connected and has loaded what it needs: it can be named in a target. */
    void taskReady(TaskId task);

    /** The task was a member or ready, is in no target, holds nothing, and was told to end: release its container. */
    void taskReleased(TaskId task);

    /** The task died, hung, or was refused; it is no member any more and its process should be ended. */
    void taskLost(TaskId task, String reason);

    /** The first worker has loaded the job's model, which has so many parameters. */
    default void modelLoaded(long parameters) {}

    /** The mean training loss of a stretch of steps that ended with the point's. */
    void loss(LossPoint point);

    /** A speed measured over unbroken stepping. */
    void speed(SpeedSample sample);

    /** A new membership has begun to step. */
    void resized(Resize resize);

    /**
     * A parameter server was lost with its shard: training goes on from the last checkpoint.
     *
     * @param fromStep the step that was next when it was lost; losses from {@code toStep} on will come again
     * @param toStep the step that is next now, {@code fromStep} or less
     */
    void steppedBack(long fromStep, long toStep);

    /** The state before {@code step} can be resumed from. */
    void checkpointed(long step);

    /** Something went wrong that training survives: a checkpoint that could not be written, for one. */
    void warned(String message);

    /** Training ended as its stop rule says, or because {@link Coordinator#stop} was called; all tasks were told. */
    void finished(TrainingResult result);

    /** Training cannot go on; all tasks were told to end. */
    void failed(String reason);
}
