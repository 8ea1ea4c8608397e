package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.DominantShare;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;

/**
 * The job's speed is known: it grew task by task from its guaranteed share, each time as the job with the largest marginal
 * gain.
 *
 * @param change what it gets
 * @param last the task that it was given last; empty if it has only its guaranteed share
 * @param end why it got no further task
 * @param assumedSeconds the time that it is assumed to need on its minimum; empty if its end is predicted
 */
public record MarginalGainReason(SizeChange change, Optional<Growth> last, GrowthEnd end, OptionalDouble assumedSeconds)
        implements AllocationReason {
    @Override
    public String sentence() {
        String unpredicted = assumedSeconds.isPresent() ? " (its end is not predicted yet)" : "";
        return change.words() + ": " + why() + end.words() + unpredicted;
    }

    /** The time that the change saves; empty if another job needs the tasks, which is reason enough. */
    private String why() {
        if (!change.isShrink()) {
            return last.map(growth -> growth.words() + ", and ").orElse("");
        }
        double saved = change.secondsSaved().orElse(0);
        return saved > 0 ? "it ends " + Words.seconds(saved) + " sooner with fewer tasks, and " : "";
    }

    @Override
    public List<ReasonKind> kinds() {
        return change.kinds(end.kind());
    }

    @Override
    public Optional<Rival> rival() {
        return end.rival();
    }

    @Override
    public SortedMap<String, Double> figures() {
        Figures figures = new Figures(end.figures())
                .with("secondsSaved", change.secondsSaved())
                .with("assumedSecondsOnMinimum", assumedSeconds);
        last.ifPresent(growth -> growth.addTo(figures));
        return figures.all();
    }

    /**
     * A task that was given, or one of each role.
     *
     * @param tasks what was given
     * @param secondsSaved predicted completion time that it saves; infinite if the job stood still without it
     * @param shares its shares of the cluster, one for each dominant resource
     * @param runnerUp the job that would have been next
     */
    public record Growth(
            Allocation tasks, double secondsSaved, List<DominantShare> shares, Optional<Compared> runnerUp) {
        /** Copies. */
        public Growth {
            shares = List.copyOf(shares);
        }

        private String words() {
            String lastTasks = "its last " + Words.tasks(tasks);
            if (secondsSaved == Double.POSITIVE_INFINITY) {
                return "it would stand still without " + lastTasks;
            }
            return lastTasks + (tasks.tasks() > 1 ? " save it " : " saves it ") + Words.seconds(secondsSaved);
        }

        private void addTo(Figures figures) {
            figures.with("secondsSavedByLastTask", secondsSaved).with(shares);
            runnerUp.ifPresent(other -> figures.with("timesGainOfRunnerUp." + other.job(), other.times()));
        }
    }

    /**
     * Another job's marginal gain compared with one of this job.
     *
     * @param job its id
     * @param times the larger gain over the smaller one, 1 or more
     * @param secondsSaved the time that its task saves it; infinite if it would stand still without it
     */
    public record Compared(String job, double times, double secondsSaved) {
        /** Why {@code job} has its task, compared with one that saves the other job {@code seconds}. */
        String words(double seconds) {
            if (secondsSaved == Double.POSITIVE_INFINITY) {
                return "but job " + job + " could not train without it";
            }
            return secondsSaved >= seconds
                    ? "and saves job " + job + " " + Words.seconds(secondsSaved)
                    : "but job " + job + " gains " + Words.times(times) + "as much from the same share of the cluster";
        }
    }
}
