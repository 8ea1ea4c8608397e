package io.optimus.model.decision;

import io.optimus.model.Allocation;

/**
 * Why a job has the allocation that it has: a value, with a sentence for people, which is shown word for word in REST,
 * on the page, in the ApplicationMaster's diagnostics and in the log. It says what the job gets, why not more, and, where
 * it had more, why less.
 */
public sealed interface AllocationReason
        permits AllocationReason.Waits,
                AllocationReason.NotKnown,
                AllocationReason.Explores,
                AllocationReason.WithinUsersLimit,
                AllocationReason.Stated,
                BundleReason,
                UtilityReason,
                TurnReason,
                WaitReason,
                ConfigurationReason,
                MarginalGainReason,
                GuaranteeReason,
                OutweighedReason,
                SearchReason,
                GoodputReason {
    /** The reason in words, with the figures that decided. */
    String sentence();

    /** Its minimum does not fit: it gets nothing until it does. */
    record Waits(Allocation held, Allocation minimum, Shortage lack) implements AllocationReason {
        @Override
        public String sentence() {
            return Words.waits(held) + " for its minimum of " + minimum + ": " + lack.words("");
        }
    }

    /** Its speed is not known, and it got no size to learn it on. */
    record NotKnown(SizeChange sizing, GrowthEnd end) implements AllocationReason {
        @Override
        public String sentence() {
            return sizing.words() + ": " + end.words();
        }
    }

    /** Runs on a size chosen to learn its speed function. */
    record Explores(Allocation size) implements AllocationReason {
        @Override
        public String sentence() {
            return "explores " + size + " to learn how its speed depends on its size";
        }
    }

    /**
     * As {@code reason}, where its user's limit bounds what was there to be divided.
     *
     * @param reason why, within that limit
     * @param user who submitted the job
     * @param most the most that his jobs may take of {@code resource}
     * @param resource of which they would have got too much
     */
    record WithinUsersLimit(AllocationReason reason, String user, long most, String resource)
            implements AllocationReason {
        @Override
        public String sentence() {
            return reason.sentence() + "; " + user + " may take " + most + " " + resource + " in all";
        }
    }

    /** What another policy says, in its own words. */
    record Stated(String sentence) implements AllocationReason {}
}
