package io.optimus.am.master;

import io.optimus.am.coordinator.TrainingResult;

/** How the work of this ApplicationMaster ends. */
public sealed interface AttemptOutcome {
    /** In words, for YARN's pages. */
    String diagnostics();

    /** Training ended by its stop rule. */
    record Trained(TrainingResult result) implements AttemptOutcome {
        @Override
        public String diagnostics() {
            return result.reason();
        }
    }

    /** The job cannot go on; no further attempt would help. */
    record Failed(String diagnostics) implements AttemptOutcome {}

    /** The process was told to end, by YARN or by a person. */
    record Killed(String diagnostics) implements AttemptOutcome {}

    /** The ResourceManager has given this attempt up; another may follow and needs all files. */
    record Abandoned(String diagnostics) implements AttemptOutcome {}
}
