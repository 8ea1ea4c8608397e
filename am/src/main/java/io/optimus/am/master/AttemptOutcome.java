package io.optimus.am.master;

import io.optimus.am.coordinator.TrainingResult;

/** How this attempt of the ApplicationMaster ends. */
sealed interface AttemptOutcome {
    /** The outcome in words, for YARN's pages. */
    String diagnostics();

    /** Whether the application ends too, and YARN is told so; otherwise another attempt may follow. */
    default boolean endsApplication() {
        return true;
    }

    /** Whether the job has its trained model. */
    default boolean succeeded() {
        return false;
    }

    /** Training ended by its stop rule. */
    record Trained(TrainingResult result) implements AttemptOutcome {
        @Override
        public String diagnostics() {
            return result.reason();
        }

        @Override
        public boolean succeeded() {
            return true;
        }
    }

    /** The job cannot go on; another attempt would not help. */
    record Failed(String diagnostics) implements AttemptOutcome {}

    /** YARN or a user ended the process. */
    record Killed(String diagnostics) implements AttemptOutcome {
        @Override
        public boolean endsApplication() {
            return false;
        }
    }

    /** The ResourceManager has given this attempt up. Another may follow and needs all files. */
    record Abandoned(String diagnostics) implements AttemptOutcome {
        @Override
        public boolean endsApplication() {
            return false;
        }
    }
}
