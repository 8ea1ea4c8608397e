package io.optimus.am.client.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A training job as the scheduler's REST service shows it.
 *
 * @param id the application's
 * @param epoch passes over the training samples so far
 * @param step steps so far
 * @param loss the last reported; empty before the first
 * @param now tasks that train, as {@code ps} and {@code workers}
 * @param planned tasks that the plan aims at
 * @param stepsPerSecond measured or predicted; empty while unknown
 * @param remainingTime predicted, in words; empty while unknown
 * @param reason of the plan, in words; may be empty
 * @param paced steps are paced to a given speed
 */
public record SchedulerJob(
        String id,
        OptionalDouble epoch,
        long step,
        OptionalDouble loss,
        Tasks now,
        Optional<Tasks> planned,
        OptionalDouble stepsPerSecond,
        Optional<String> remainingTime,
        String reason,
        boolean paced) {

    /** Numbers of tasks. */
    record Tasks(int parameterServers, int workers) {
        private static Optional<Tasks> of(JsonNode node) {
            return node.isObject()
                    ? Optional.of(new Tasks(
                            node.path("parameterServers").asInt(),
                            node.path("workers").asInt()))
                    : Optional.empty();
        }
    }

    /** Reads what it knows; what is not there is unknown. */
    public static SchedulerJob of(JsonNode node) {
        return new SchedulerJob(
                node.path("id").asText(),
                number(node.path("epoch")),
                node.path("step").asLong(),
                number(node.path("loss")),
                Tasks.of(node.path("allocation")).orElse(new Tasks(0, 0)),
                Tasks.of(node.path("planned")),
                number(node.path("stepsPerSecond")),
                Optional.ofNullable(node.path("remainingTime").textValue()),
                node.path("reason").asText(""),
                node.path("paced").asBoolean());
    }

    private static OptionalDouble number(JsonNode node) {
        return node.isNumber() ? OptionalDouble.of(node.asDouble()) : OptionalDouble.empty();
    }

    /** {@code 2}, or {@code 2 -> 4} where the plan wants another number. */
    public String parameterServers() {
        return nowAndPlanned(now.parameterServers(), planned.map(Tasks::parameterServers));
    }

    /** Like {@link #parameterServers}. */
    public String workers() {
        return nowAndPlanned(now.workers(), planned.map(Tasks::workers));
    }

    private static String nowAndPlanned(int now, Optional<Integer> planned) {
        return planned.filter(number -> number != now)
                .map(number -> now + " -> " + number)
                .orElse(String.valueOf(now));
    }

    /** {@code epoch 3.2, step 140, loss 0.4321, ps 1, workers 2 -> 4, 12.3 steps/s, ends in 5 to 40 min}. */
    public String progress() {
        StringBuilder line = new StringBuilder();
        epoch.ifPresent(value -> line.append(String.format(Locale.ROOT, "epoch %.1f, ", value)));
        line.append("step ").append(step);
        loss.ifPresent(value -> line.append(String.format(Locale.ROOT, ", loss %.4f", value)));
        line.append(", ps ").append(parameterServers()).append(", workers ").append(workers());
        stepsPerSecond.ifPresent(value -> line.append(String.format(Locale.ROOT, ", %.1f steps/s", value)));
        remainingTime.ifPresent(time -> line.append(", ends in ").append(time));
        return line + (paced ? " (paced)" : "");
    }
}
