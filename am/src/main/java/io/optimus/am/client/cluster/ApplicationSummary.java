package io.optimus.am.client.cluster;

/**
 * A training job as YARN's application report shows it.
 *
 * @param id the application's
 * @param name the job's
 * @param user its owner
 * @param queue where it runs
 * @param state as YARN writes it: {@code ACCEPTED}, {@code RUNNING}, {@code FINISHED}, ...
 * @param outcome how far along or how it ended
 * @param trackingUrl its page; empty where there is none yet
 * @param diagnostics what YARN or the ApplicationMaster says of its end; may be empty
 * @param startMillis when it was submitted
 * @param finishMillis when it ended, 0 before
 */
public record ApplicationSummary(
        String id,
        String name,
        String user,
        String queue,
        String state,
        Outcome outcome,
        String trackingUrl,
        String diagnostics,
        long startMillis,
        long finishMillis) {

    /** How a job ended. */
    public enum Outcome {
        /** Not yet. */
        OPEN,
        /** As it should. */
        SUCCEEDED,
        /** It could not go on. */
        FAILED,
        /** Somebody ended it. */
        KILLED
    }

    public boolean ended() {
        return outcome != Outcome.OPEN;
    }
}
