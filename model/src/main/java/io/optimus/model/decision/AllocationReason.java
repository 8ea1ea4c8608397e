package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Why a policy gives a job its allocation. The sentence says what happens to the job, and then why. The figures that decided
 * stand beside it, by name.
 *
 * <p>What a policy or a placer needs to know later is a field of {@link AllocationDecision.Decided}.
 */
public sealed interface AllocationReason extends Reason
        permits AllocationReason.Waits,
                AllocationReason.NotKnown,
                AllocationReason.Explores,
                AllocationReason.WithinUsersLimit,
                AllocationReason.AfterCountedJobs,
                AllocationReason.Stated,
                BundleReason,
                ConfigurationReason,
                GoodputReason,
                GuaranteeReason,
                MarginalGainReason,
                SearchReason,
                TurnReason,
                UtilityReason,
                WaitReason {
    /** The job's minimum has no room; the job gets nothing until it has. */
    record Waits(Allocation held, Allocation minimum, Shortage shortage) implements AllocationReason {
        @Override
        public String sentence() {
            return Words.waits(held) + " for its minimum of " + minimum + ": " + shortage.words();
        }

        @Override
        public List<ReasonKind> kinds() {
            return List.of(shortage.kind());
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures().with(shortage).all();
        }
    }

    /** The job's speed is not known, and the job got no size to learn it on. */
    record NotKnown(SizeChange change, GrowthEnd end) implements AllocationReason {
        @Override
        public String sentence() {
            return change.words() + ": " + end.words();
        }

        @Override
        public List<ReasonKind> kinds() {
            return change.kinds(end.kind());
        }

        @Override
        public SortedMap<String, Double> figures() {
            return end.figures();
        }
    }

    /** Runs on a size chosen to learn its speed function. */
    record Explores(Allocation size) implements AllocationReason {
        @Override
        public String sentence() {
            return "explores " + size + " to learn how its speed depends on its size";
        }

        @Override
        public List<ReasonKind> kinds() {
            return List.of(ReasonKind.EXPLORES);
        }
    }

    /**
     * The same as {@code reason}, within the limit of the job's user.
     *
     * @param reason why, within that limit
     * @param user the user who submitted the job
     * @param most the most that the user's jobs may take of {@code resource}
     * @param resource the resource that is limited
     */
    record WithinUsersLimit(AllocationReason reason, String user, long most, String resource)
            implements AllocationReason {
        @Override
        public String sentence() {
            return reason.sentence() + "; the jobs of user " + user + " may take "
                    + Words.amount(Math.max(0, most), resource) + " in all";
        }

        @Override
        public List<ReasonKind> kinds() {
            return Reason.kinds(reason.kinds(), ReasonKind.USER_LIMIT);
        }

        @Override
        public Optional<Rival> rival() {
            return reason.rival();
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures(reason.figures())
                    .with("userLimit." + resource, (double) most)
                    .all();
        }
    }

    /**
     * The same as {@code reason}, in what the jobs that count leave.
     *
     * @param reason why, in that room
     * @param user the user who submitted the job
     * @param counted the user's jobs that count beside those of others
     */
    record AfterCountedJobs(AllocationReason reason, String user, int counted) implements AllocationReason {
        @Override
        public String sentence() {
            return reason.sentence() + "; it shares what is left, because only " + counted
                    + (counted == 1 ? " job" : " jobs") + " of user " + user + " may count";
        }

        @Override
        public List<ReasonKind> kinds() {
            return Reason.kinds(reason.kinds(), ReasonKind.JOBS_PER_USER);
        }

        @Override
        public Optional<Rival> rival() {
            return reason.rival();
        }

        @Override
        public SortedMap<String, Double> figures() {
            return reason.figures();
        }
    }

    /** The reason of another policy, in its own words. */
    record Stated(String sentence) implements AllocationReason {
        @Override
        public List<ReasonKind> kinds() {
            return List.of();
        }
    }
}
