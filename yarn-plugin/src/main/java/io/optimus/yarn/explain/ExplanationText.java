package io.optimus.yarn.explain;

import io.optimus.model.Allocation;
import io.optimus.model.decision.Reason;
import io.optimus.model.decision.Words;
import io.optimus.model.job.JobDemand;
import io.optimus.yarn.explain.JobExplanation.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** An explanation in sentences, for people: the commands and the pages show these word for word. */
public final class ExplanationText {
    private ExplanationText() {}

    /** The sentences, the reason first. */
    public static List<String> of(JobExplanation explanation) {
        List<String> lines = new ArrayList<>();
        lines.add("Why: " + explanation.why().sentence() + ".");
        lines.add(asked(explanation.asked()));
        lines.add(tasks(explanation.tasks()));
        explanation.limits().forEach(limit -> lines.add(limit(limit)));
        explanation.rival().ifPresent(rival -> lines.add(rival(rival)));
        explanation
                .place()
                .ifPresent(place -> lines.add("Place: number " + place.place() + " of " + place.waiting()
                        + (place.waiting() == 1 ? " job that waits" : " jobs that wait") + " in its queue, in order of "
                        + place.order() + "."));
        lines.add("What would change it: "
                + String.join("; ", explanation.outlook().remedies()) + ".");
        when(explanation).ifPresent(lines::add);
        return lines;
    }

    private static String asked(Asked asked) {
        JobDemand demand = asked.demand();
        Allocation least = demand.minimum();
        Allocation most = demand.maximum();
        String sizes = least.equals(most) ? "exactly " + least : least + " to " + most;
        String servers = demand.hasParameterServers()
                ? ", each ps with " + demand.parameterServers().task()
                : "";
        return "Asked: " + sizes + ", each worker with " + demand.workers().task() + servers + "; priority "
                + asked.terms().priority() + (asked.mayShrink() ? "." : "; it may not shrink now.");
    }

    private static String tasks(Tasks tasks) {
        String next = tasks.next().isNone()
                ? "it can use no more."
                : "next it would take " + tasks.next() + (tasks.planned().isNone() ? "." : " more.");
        String awaited = tasks.awaited().isNone() ? "" : ", YARN is asked for " + tasks.awaited();
        return "Tasks: it has " + words(tasks.held()) + ", the plan gives it " + words(tasks.planned()) + awaited + "; "
                + next;
    }

    private static String words(Allocation tasks) {
        return tasks.isNone() ? "none" : tasks.toString();
    }

    private static String limit(Limit limit) {
        String whose =
                switch (limit.scope()) {
                    case USER -> "User " + limit.name() + " may take ";
                    case QUEUE -> "Queue " + limit.name() + " lets training take ";
                    case NODES -> "The nodes have ";
                };
        String fits = limit.lacking()
                .map(resource -> ": too little " + resource + " for its next tasks.")
                .orElse(": enough for its next tasks.");
        return whose + limit.most() + ", of which " + limit.left() + " is left" + fits;
    }

    private static String rival(Reason.Rival rival) {
        if (rival.value().isPresent() && rival.ownValue().isPresent()) {
            return "Job " + rival.job() + " has what it would take next: that adds "
                    + Words.number(rival.value().getAsDouble())
                    + " to the total value of all jobs there, and would add "
                    + Words.number(rival.ownValue().getAsDouble()) + " here.";
        }
        if (rival.secondsSaved().isEmpty() || rival.ownSecondsSaved().isEmpty()) {
            return "Job " + rival.job() + " comes before it.";
        }
        return "Job " + rival.job() + " has what it would take next: that " + saves(rival.secondsSaved())
                + " there, and would "
                + (infinite(rival.ownSecondsSaved())
                        ? "let this job begin"
                        : "save this job "
                                + Words.seconds(rival.ownSecondsSaved().getAsDouble()))
                + ".";
    }

    private static boolean infinite(OptionalDouble seconds) {
        return seconds.orElse(0) == Double.POSITIVE_INFINITY;
    }

    private static String saves(OptionalDouble seconds) {
        return infinite(seconds) ? "is needed to train" : "saves " + Words.seconds(seconds.orElse(0));
    }

    private static Optional<String> when(JobExplanation explanation) {
        if (explanation.limits().stream().noneMatch(Limit::isReached)
                || explanation.tasks().next().isNone()) {
            return Optional.empty();
        }
        return Optional.of(explanation
                .outlook()
                .last()
                .map(last -> "When: there is room " + (last.time().seconds().isPresent() ? "in about " : "in ")
                        + last.time().inWords() + ", when job " + last.job()
                        + (explanation.outlook().releases().size() == 1 ? "" : ", the last of several,")
                        + " is predicted to end.")
                .orElse("When: unknown, because no end is predicted that would make room."));
    }
}
