package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.DominantShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Its speed is known: it grew from what it is sure of, task by task, each time as the job that gained most.
 *
 * @param sizing what it gets
 * @param last the task that it was given last; empty where it has only what it is sure of
 * @param end why it got no task more
 * @param assumedSeconds what it is taken to need on its minimum; empty where its end is predicted
 */
public record MarginalGainReason(SizeChange sizing, Optional<Growth> last, GrowthEnd end, OptionalDouble assumedSeconds)
        implements AllocationReason {
    @Override
    public String sentence() {
        List<String> why = new ArrayList<>();
        if (!sizing.isShrink()) {
            last.map(Growth::words).ifPresent(why::add);
        } else if (!(end instanceof GrowthEnd.NoRoom)) {
            sizing.difference().ifPresent(why::add);
        }
        why.add(end.words());
        if (assumedSeconds.isPresent()) {
            why.add("its end is not predicted yet, and taken as " + Words.seconds(assumedSeconds.getAsDouble())
                    + " on its minimum");
        }
        return sizing.words() + ": " + String.join("; ", why);
    }

    /**
     * A task that was given, or one of each role.
     *
     * @param tasks what was given
     * @param secondsSaved completion time that it saves, as predicted; infinite where the job stood still without it
     * @param shares what it takes of the cluster, dominant resource by dominant resource
     * @param runnerUp who would have been next
     */
    public record Growth(
            Allocation tasks, double secondsSaved, List<DominantShare> shares, Optional<Compared> runnerUp) {
        /** Copies. */
        public Growth {
            shares = List.copyOf(shares);
        }

        private String words() {
            if (secondsSaved == Double.POSITIVE_INFINITY) {
                return "without its last " + Words.tasks(tasks) + " it would stand still";
            }
            String verb = tasks.tasks() > 1 ? " together save " : " saves ";
            return "its last " + Words.tasks(tasks) + verb + Words.seconds(secondsSaved) + " for "
                    + Words.shares(shares)
                    + runnerUp.map(other ->
                                    ", " + Words.times(other.times()) + "what " + other.job() + " would save per share")
                            .orElse("");
        }
    }

    /**
     * Another job's gain, beside which one of this job's stands.
     *
     * @param job its id
     * @param times larger gain over smaller one, 1 or more
     */
    public record Compared(String job, double times) {}
}
