package io.optimus.am.coordinator.command;

import io.optimus.am.coordinator.TrainingSettings.Timing;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.job.CommandSpec;
import io.optimus.am.wire.Message;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.OptionalDouble;

/**
 * The settings of a job whose commands train by themselves.
 *
 * @param commands the commands
 * @param applicationId YARN's application id
 * @param attempt the ApplicationMaster's attempt, 1 or more
 * @param sizes the sizes that it runs with
 * @param stop when training ends by what the commands report
 * @param targetAccuracy the reported accuracy that ends training; empty: none does
 * @param timing intervals and time-outs
 */
public record CommandSettings(
        CommandSpec commands,
        String applicationId,
        int attempt,
        Sizes sizes,
        StopRule stop,
        OptionalDouble targetAccuracy,
        Timing timing) {
    /** What each task is sent first. The commands decide batch, seed and checkpoints. */
    public Message.Welcome welcome() {
        return new Message.Welcome(
                TrainingMode.SYNCHRONOUS,
                WireFormat.FLOAT32,
                1,
                0,
                1,
                timing.heartbeatMillis(),
                timing.masterSilenceMillis(),
                false);
    }

    /**
     * The sizes that a job runs with.
     *
     * @param minimum the fewest tasks; the job waits while there are fewer
     * @param maximum the most tasks
     */
    public record Sizes(Allocation minimum, Allocation maximum) {}
}
