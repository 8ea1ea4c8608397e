package io.optimus.am.client.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training job as the scheduler's REST service shows it.
 *
 * @param id the application's id
 * @param training how far the training is
 * @param current tasks that train now; of a job that has ended, the most that it had
 * @param planned tasks that the plan gives it; empty if it is not in the plan
 * @param reason why the plan gives it these tasks, in words; may be empty
 * @param schedulerMode the scheduler's mode, such as {@code enforce}; empty where it does not say
 * @param waitingSince since when it trains on no task; empty if it trains or has ended
 * @param result what it left; nothing while it has not ended
 */
public record SchedulerJob(
        String id,
        Training training,
        TaskCounts current,
        Optional<TaskCounts> planned,
        String reason,
        String schedulerMode,
        Optional<Instant> waitingSince,
        Result result) {

    /** Whether the scheduler only shows its plans. */
    public boolean isOnlyAdvised() {
        return schedulerMode.equals("advise");
    }

    /**
     * How far the training is.
     *
     * @param epoch passes over the training samples so far
     * @param step steps so far
     * @param loss the last reported loss; empty before the first
     * @param stepsPerSecond measured or predicted; empty while unknown
     * @param remaining predicted; empty while unknown
     * @param batch samples of the last step of a job that adapts its batch; empty for others
     * @param paced whether steps are paced to a given speed
     */
    public record Training(
            OptionalDouble epoch,
            long step,
            OptionalDouble loss,
            OptionalDouble stepsPerSecond,
            Optional<Remaining> remaining,
            OptionalDouble batch,
            boolean paced) {
        /** The part of all steps that is done, from 0 to 1; empty while the end is not predicted, or only vaguely. */
        public OptionalDouble done() {
            if (remaining.isEmpty() || remaining.get().seconds().isEmpty() || stepsPerSecond.isEmpty()) {
                return OptionalDouble.empty();
            }
            double left = remaining.get().seconds().getAsDouble() * stepsPerSecond.getAsDouble();
            return step + left > 0 ? OptionalDouble.of(step / (step + left)) : OptionalDouble.empty();
        }
    }

    /**
     * What a job left that has ended.
     *
     * @param accuracy on held-out samples, from 0 to 1; empty if it was not measured
     * @param output the folder with its model and its result; empty if the job did not report one
     */
    public record Result(OptionalDouble accuracy, Optional<String> output) {}

    /**
     * The predicted time to the end.
     *
     * @param words such as {@code 5 to 40 min}
     * @param seconds empty where the prediction is vague
     */
    public record Remaining(String words, OptionalDouble seconds) {
        private static Optional<Remaining> of(JsonNode job) {
            return Optional.ofNullable(job.path("remainingTime").textValue())
                    .map(words -> new Remaining(words, number(job.path("remainingSeconds"))));
        }
    }

    /** Numbers of tasks. */
    public record TaskCounts(int parameterServers, int workers) {
        private static Optional<TaskCounts> of(JsonNode node) {
            return node.isObject()
                    ? Optional.of(new TaskCounts(
                            node.path("parameterServers").asInt(),
                            node.path("workers").asInt()))
                    : Optional.empty();
        }
    }

    /** Reads the fields that it knows; a field that is missing is unknown. */
    public static SchedulerJob of(JsonNode node) {
        Training training = new Training(
                number(node.path("epoch")),
                node.path("step").asLong(),
                number(node.path("loss")),
                number(node.path("stepsPerSecond")),
                Remaining.of(node),
                number(node.path("batch").path("last")),
                node.path("paced").asBoolean());
        return new SchedulerJob(
                node.path("id").asText(),
                training,
                TaskCounts.of(node.path("allocation"))
                        .or(() -> TaskCounts.of(node.path("largest")))
                        .orElse(new TaskCounts(0, 0)),
                TaskCounts.of(node.path("planned")),
                node.path("reason").asText(""),
                node.path("schedulerMode").asText(""),
                Optional.of(node.path("waitingSinceMillis"))
                        .filter(JsonNode::isNumber)
                        .map(since -> Instant.ofEpochMilli(since.asLong())),
                new Result(
                        number(node.path("accuracy")),
                        Optional.ofNullable(node.path("output").textValue())));
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }

    /** {@code 2}, or {@code 2 -> 4} if the plan has another number. */
    public String parameterServers() {
        return currentAndPlanned(current.parameterServers(), planned.map(TaskCounts::parameterServers));
    }

    /** Like {@link #parameterServers}. */
    public String workers() {
        return currentAndPlanned(current.workers(), planned.map(TaskCounts::workers));
    }

    private static String currentAndPlanned(int current, Optional<Integer> planned) {
        return planned.filter(number -> number != current)
                .map(number -> current + " -> " + number)
                .orElse(String.valueOf(current));
    }

    /** {@code epoch 3.2, step 140, loss 0.4321, ps 1, workers 2 -> 4, 12.3 steps/s, ends in 5 to 40 min}. */
    public String progress() {
        StringBuilder line = new StringBuilder();
        training.epoch().ifPresent(value -> line.append(String.format(Locale.ROOT, "epoch %.1f, ", value)));
        line.append("step ").append(training.step());
        training.loss().ifPresent(value -> line.append(String.format(Locale.ROOT, ", loss %.4f", value)));
        line.append(", ps ").append(parameterServers()).append(", workers ").append(workers());
        training.batch().ifPresent(value -> line.append(String.format(Locale.ROOT, ", batch %.0f", value)));
        training.stepsPerSecond().ifPresent(value -> line.append(String.format(Locale.ROOT, ", %.1f steps/s", value)));
        training.remaining().ifPresent(time -> line.append(", ends in ").append(time.words()));
        return line + (training.paced() ? " (paced)" : "");
    }
}
