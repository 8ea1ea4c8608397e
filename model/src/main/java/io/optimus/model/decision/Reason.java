package io.optimus.model.decision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * A reason for what a job has, or a part of one: a value with one sentence for the job's owner, which is shown word for word in
 * REST, on the page, in the commands, in the ApplicationMaster's diagnostics and in the log.
 *
 * <p>A reason explains a decision; it never steers one.
 */
public sealed interface Reason
        permits AllocationReason, PlacementReason, ResizeReason, GpuTypeReason, LimitReason, SchedulerReason {
    /** What happens to the job and why; or a part of that, which is read after another one. */
    String sentence();

    /** What the sentence says, as words for programs; the most important one first. */
    List<ReasonKind> kinds();

    /** The figures behind the sentence, finite, by name with their unit, such as {@code secondsSaved}. */
    default SortedMap<String, Double> figures() {
        return Collections.emptySortedMap();
    }

    /** The job that has what this one could use; empty if none has, or the reason compares with no single job. */
    default Optional<Rival> rival() {
        return Optional.empty();
    }

    /**
     * A job that has what another one could use.
     *
     * @param job its id
     * @param secondsSaved the time that this saves it; infinite if it would stand still otherwise; empty if jobs are not compared
     *     by that
     * @param ownSecondsSaved the time that it would save the other job; as above
     * @param value what this adds to the total value that the policy maximises; empty if jobs are not compared by that
     * @param ownValue what it would add with the other job, at most {@code value}; as above
     */
    record Rival(
            String job,
            OptionalDouble secondsSaved,
            OptionalDouble ownSecondsSaved,
            OptionalDouble value,
            OptionalDouble ownValue) {
        /** A job that comes first, whatever either gains. */
        static Rival first(String job) {
            return new Rival(
                    job,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.empty());
        }

        /** A job that is compared by the time that the resources save. */
        static Rival bySeconds(String job, double secondsSaved, double ownSecondsSaved) {
            return new Rival(
                    job,
                    OptionalDouble.of(secondsSaved),
                    OptionalDouble.of(ownSecondsSaved),
                    OptionalDouble.empty(),
                    OptionalDouble.empty());
        }

        /** A job that is compared by what the resources add to the policy's total value. */
        static Rival byValue(String job, double value, double ownValue) {
            return new Rival(
                    job,
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    OptionalDouble.of(value),
                    OptionalDouble.of(ownValue));
        }
    }

    /**
     * Whether it belongs to the decision itself, and so holds as long as that does. The others depend on the moment: a limit, an
     * order of an administrator.
     */
    default boolean isOfDecision() {
        return true;
    }

    /** {@code kinds} with one more, last. */
    static List<ReasonKind> kinds(List<ReasonKind> kinds, ReasonKind more) {
        List<ReasonKind> all = new ArrayList<>(kinds);
        all.add(more);
        return List.copyOf(all);
    }
}
