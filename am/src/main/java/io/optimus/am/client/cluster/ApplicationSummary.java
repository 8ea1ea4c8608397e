package io.optimus.am.client.cluster;

/**
 * An application as YARN's report shows it.
 *
 * @param id the application's id
 * @param type YARN's type of the application; {@link ClusterClient#TRAINING_TYPE} for training jobs
 * @param name the job's name
 * @param user the job's owner
 * @param queue the queue in which it runs
 * @param status how far it is, or how it ended
 * @param trackingUrl the address of its page; empty if it has none yet
 * @param period when it was submitted and when it ended
 */
public record ApplicationSummary(
        String id,
        String type,
        String name,
        String user,
        String queue,
        Status status,
        String trackingUrl,
        Period period) {
    /** Whether it is a training job. */
    public boolean isTraining() {
        return type.equals(ClusterClient.TRAINING_TYPE);
    }

    /** How a job ended. */
    public enum Outcome {
        /** It has not ended. */
        OPEN,
        /** It ended as it should. */
        SUCCEEDED,
        /** It could not go on. */
        FAILED,
        /** A user or an administrator ended it. */
        KILLED
    }

    /**
     * How far a job is, or how it ended.
     *
     * @param state YARN's word: {@code ACCEPTED}, {@code RUNNING}, {@code FINISHED}, ...
     * @param outcome how it ended
     * @param diagnostics what YARN or the ApplicationMaster says about the end; may be empty
     */
    public record Status(String state, Outcome outcome, String diagnostics) {
        public boolean ended() {
            return outcome != Outcome.OPEN;
        }
    }

    /**
     * When a job was submitted and when it ended, Unix time.
     *
     * @param finishMillis 0 before the end
     */
    public record Period(long startMillis, long finishMillis) {}
}
