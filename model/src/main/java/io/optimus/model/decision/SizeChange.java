package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The change from the tasks that a job trains on to those that it gets.
 *
 * @param from the tasks so far; none if it begins
 * @param to what it gets
 * @param minimum the least that it runs with
 * @param mayShrink whether it could have been given less than it has
 * @param secondsSaved how much sooner it ends on {@code to} than it would on {@code from}, negative if later; empty if one of
 *     the two does not step or the speed is not known
 */
public record SizeChange(
        Allocation from, Allocation to, Allocation minimum, boolean mayShrink, OptionalDouble secondsSaved) {
    /** The change of {@code job} to {@code to}. */
    public static SizeChange of(JobSnapshot job, Allocation to, OptionalDouble secondsSaved) {
        return new SizeChange(job.trainsOn(), to, job.minimum(), job.mayShrink(), secondsSaved);
    }

    /** Whether it gets fewer tasks of a role and more of none. */
    public boolean isShrink() {
        return !to.equals(from) && to.isWithin(from);
    }

    /** What the words say, and {@code cause} first. */
    List<ReasonKind> kinds(ReasonKind cause) {
        if (isShrink()) {
            return List.of(ReasonKind.SHRUNK, cause);
        }
        boolean kept = to.equals(from) && !to.isNone() && !mayShrink && !to.equals(minimum);
        return kept ? List.of(cause, ReasonKind.MAY_NOT_SHRINK) : List.of(cause);
    }

    /** The words that begin a sentence. */
    String words() {
        String size = to.equals(minimum) ? "its minimum of " + to : to.toString();
        if (to.isNone()) {
            return Words.waits(from) + " for its minimum of " + minimum;
        }
        if (from.isNone()) {
            return "starts with " + size;
        }
        if (to.equals(from)) {
            return "stays at " + size + (mayShrink || to.equals(minimum) ? "" : ", because it may not shrink");
        }
        String verb = isShrink() ? "shrinks" : from.isWithin(to) ? "grows" : "changes";
        return verb + " from " + from + " to " + size;
    }
}
