package io.optimus.am.master;

import io.optimus.am.coordinator.TrainingResult;

/** How the work of this ApplicationMaster ends. */
sealed interface Outcome {
    /** In words, for YARN's pages. */
    String diagnostics();

    /** Training ended by its stop rule. */
    record Trained(TrainingResult result) implements Outcome {
        @Override
        public String diagnostics() {
            return result.reason();
        }
    }

    /** The job cannot go on; no further attempt would help. */
    record Failed(String diagnostics) implements Outcome {}

    /** The process was told to end, by YARN or by a person. */
    record Killed(String diagnostics) implements Outcome {}

    /** The ResourceManager has given this attempt up; another may follow and needs all files. */
    record Abandoned(String diagnostics) implements Outcome {}
}
