package io.optimus.yarn.history;

import io.optimus.model.Allocation;
import io.optimus.model.losses.LossPoint;
import io.optimus.protocol.OneLine;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import io.optimus.yarn.jobs.JobEnd;
import io.optimus.yarn.jobs.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A job that has ended, as the scheduler saw it last.
 *
 * @param owned whose it was
 * @param outcome how it ended
 * @param endedMillis when, in milliseconds since 1970
 * @param result how far it came
 * @param checked what was predicted of it against what came; empty unless it ended as it should and was seen from its beginning
 * @param end what it left, with at most {@link #MOST_LOSSES} losses; nothing where its ApplicationMaster did not tell of its end
 */
public record PastJob(
        Owned owned, Outcome outcome, long endedMillis, Result result, List<CheckedPrediction> checked, JobEnd end) {
    /** As many as a chart can show. */
    public static final int MOST_LOSSES = 200;

    /** Reasons have parts for each limit; the rest of a longer one is cut off. */
    private static final int LONGEST_REASON = 1000;

    /** How a job ended. */
    public enum Outcome {
        /** It trained to its end. */
        SUCCEEDED,
        /** It could not go on. */
        FAILED,
        /** A user or an administrator ended it. */
        KILLED,
        /** Its application ended, and nobody said how. */
        UNKNOWN;

        /** The word of REST. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Whose a job was.
     *
     * @param id its application
     * @param name as its owner calls it
     * @param user its owner
     * @param queue path of the leaf queue that it ended in
     * @param submittedMillis when it was submitted, in milliseconds since 1970
     */
    public record Owned(ApplicationId id, String name, String user, String queue, long submittedMillis) {}

    /**
     * How far a job came.
     *
     * @param step its last step
     * @param epoch its last epoch; empty if it never told
     * @param loss its last loss; empty if it never told
     * @param tasks the largest size that it trained on
     * @param resizes resizes that it carried out
     * @param reason the last reason for its tasks
     */
    public record Result(
            long step, OptionalDouble epoch, OptionalDouble loss, Allocation tasks, int resizes, String reason) {}

    public PastJob {
        checked = List.copyOf(checked);
    }

    /** {@code job} as it was last seen. */
    static PastJob of(
            JobView job,
            String reason,
            Outcome outcome,
            long endedMillis,
            List<CheckedPrediction> checked,
            JobEnd end) {
        return new PastJob(
                new Owned(
                        job.id(),
                        job.registration().name(),
                        job.facts().user(),
                        job.facts().queue(),
                        job.facts().submitMillis()),
                outcome,
                endedMillis,
                new Result(
                        job.progress().step(),
                        job.progress().epoch(),
                        job.progress().loss(),
                        job.history().held().largest(),
                        job.history().resizesDone(),
                        OneLine.of(reason, LONGEST_REASON)),
                checked,
                end);
    }

    /** At most {@link #MOST_LOSSES} of the points, at even distances; the last is one of them. */
    static List<LossPoint> thinned(List<LossPoint> losses) {
        int every = Math.max(1, (losses.size() + MOST_LOSSES - 1) / MOST_LOSSES);
        List<LossPoint> kept = new ArrayList<>();
        for (int i = (losses.size() - 1) % every; i < losses.size(); i += every) {
            kept.add(losses.get(i));
        }
        return kept;
    }

    public ApplicationId id() {
        return owned.id();
    }
}
