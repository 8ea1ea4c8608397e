package io.optimus.yarn.metrics;

import io.optimus.protocol.OneLine;
import java.util.List;

/**
 * One round in figures, for the metrics and for its line in the log.
 *
 * @param number counts from 1 in each ResourceManager
 * @param mode {@code enforce} or {@code advise}
 * @param millis how long it took
 * @param steps how long its steps took
 * @param jobs what the jobs did at its end
 * @param changes jobs that its plan gives other tasks than the plan before
 * @param plan number of the plan in force after it
 * @param triggers why it ran before its regular time, in words; empty for a regular round
 * @param outcome its decision in words
 */
public record RoundFigures(
        long number,
        String mode,
        long millis,
        StepDurations steps,
        JobFigures jobs,
        int changes,
        long plan,
        List<String> triggers,
        String outcome) {
    private static final int LONGEST_OUTCOME = 200;

    public RoundFigures {
        triggers = List.copyOf(triggers);
    }

    /** The line of the log: {@code number=7 mode=enforce millis=12 ...}; docs/operations.md explains its keys. */
    public String inLog() {
        StringBuilder line = new StringBuilder()
                .append("number=")
                .append(number)
                .append(" mode=")
                .append(mode)
                .append(" millis=")
                .append(millis);
        for (RoundStep step : RoundStep.values()) {
            line.append(' ').append(step.word()).append("Millis=").append(steps.millis(step));
        }
        return line.append(" jobs=")
                .append(jobs.registered())
                .append(" unplanned=")
                .append(jobs.unplanned())
                .append(" waiting=")
                .append(jobs.withoutTasks())
                .append(" starting=")
                .append(jobs.starting())
                .append(" silent=")
                .append(jobs.silent())
                .append(" changes=")
                .append(changes)
                .append(" plan=")
                .append(plan)
                .append(" triggers=")
                .append(triggers.isEmpty() ? "none" : String.join(",", triggers))
                .append(" outcome=\"")
                .append(OneLine.of(outcome, LONGEST_OUTCOME))
                .append('"')
                .toString();
    }
}
