package io.optimus.am.master.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.master.journal.TrainingHistory.PlacedSpeed;
import io.optimus.am.master.journal.TrainingHistory.PlacedSteps;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The fields of journal events. The page's JSON and the result file use the same names. */
public final class JournalFields {
    private JournalFields() {}

    /** Fields of a directive that the job takes. */
    public static Map<String, Object> directive(Directive directive) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("plan", directive.pinned() ? directive.plan() : 0);
        fields.putAll(allocation("", directive.total()));
        Map<String, Object> nodes = new LinkedHashMap<>();
        directive.target().forEach((node, allocation) -> nodes.put(node.id(), allocation("", allocation)));
        fields.put("nodes", nodes);
        fields.put("exploring", directive.exploring());
        fields.put("reason", directive.reason());
        putRemaining(fields, directive.remaining());
        return fields;
    }

    /** Adds the predicted time to the end, as far as it is known. */
    public static void putRemaining(Map<String, Object> fields, Directive.Remaining remaining) {
        remaining.seconds().ifPresent(seconds -> fields.put("remainingSeconds", seconds));
        remaining.inWords().ifPresent(time -> fields.put("remainingTime", time));
    }

    /** Fields of a resize that the coordinator was asked for. */
    public static Map<String, Object> resizeRequest(Allocation from, Allocation to, Directive directive) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.putAll(allocation("from", from));
        fields.putAll(allocation("to", to));
        fields.put("plan", directive.pinned() ? directive.plan() : 0);
        fields.put("exploring", directive.exploring());
        return fields;
    }

    /** Fields of a resize that has happened. */
    public static Map<String, Object> resize(ResizeRecord resize) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.putAll(allocation("from", resize.from()));
        fields.putAll(allocation("to", resize.to()));
        fields.put("pauseMillis", resize.pauseMillis());
        fields.put("exploring", resize.reason().exploring());
        fields.put("reason", resize.reason().text());
        fields.put("plan", resize.reason().plan());
        fields.put("planned", resize.reason().planned());
        fields.put("step", resize.step());
        fields.put("atMillis", resize.atMillis());
        return fields;
    }

    /** Fields of a report of the job's program. */
    public static Map<String, Object> report(ProgramReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("step", report.step());
        fields.put("epoch", report.epoch());
        fields.put("values", new TreeMap<>(report.values()));
        return fields;
    }

    /** Fields of a measured speed. */
    public static Map<String, Object> speed(PlacedSpeed speed) {
        SpeedSample sample = speed.sample();
        Map<String, Object> fields = new LinkedHashMap<>(allocation("", sample.allocation()));
        fields.put("stepsPerSecond", sample.stepsPerSecond());
        fields.put("seconds", sample.seconds());
        speed.workerNode().ifPresent(node -> {
            fields.put("nodes", sample.nodes());
            fields.put("workerNode", node);
        });
        return fields;
    }

    /** Fields of measured step times. */
    public static Map<String, Object> stepTimes(PlacedSteps steps) {
        ThroughputObservation times = steps.times();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("nodes", times.nodes());
        fields.put("workers", times.replicas());
        fields.put("samplesAtATime", times.atomicBatch());
        fields.put("gradientSeconds", times.accumulatedStepSeconds());
        fields.put("stepSeconds", times.stepSeconds());
        steps.workerNode().ifPresent(node -> fields.put("workerNode", node));
        return fields;
    }

    /** Fields of the batch of a job that adapts it. */
    public static Map<String, Object> batch(CurrentBatch batch) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("initial", batch.limits().initialBatch());
        fields.put("max", batch.limits().maxBatch());
        fields.put("samples", batch.samples());
        fields.put("parts", batch.accumulate() + 1);
        batch.noiseScale().ifPresent(scale -> fields.put("noiseScale", scale));
        batch.gain().ifPresent(gain -> fields.put("gain", gain));
        fields.put("updates", batch.updates());
        return fields;
    }

    /** Fields of the memory with which tasks of {@code role} start, MiB. */
    public static Map<String, Object> memory(Role role, long memoryMb) {
        return Map.of("role", role.name(), "memoryMb", memoryMb);
    }

    /** Fields of a task and its container. */
    public static Map<String, Object> task(TaskId task, TaskContainer container) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", task.toString());
        fields.put("node", container.node());
        fields.put("container", container.id());
        return fields;
    }

    /** Fields of a task that a later attempt can call. */
    public static Map<String, Object> reachable(TaskContainer container, ServerAddress at) {
        Map<String, Object> fields = task(at.task(), container);
        fields.put("host", at.host());
        fields.put("port", at.port());
        return fields;
    }

    /** Fields of a task that ended and should not have. */
    public static Map<String, Object> lostTask(TaskId task, TaskContainer container, ContainerExit exit) {
        Map<String, Object> fields = task(task, container);
        fields.put("exitStatus", exit.status());
        fields.put("diagnostics", exit.diagnostics());
        fields.put("log", container.logUrl());
        return fields;
    }

    /** Fields of the training's result. */
    public static Map<String, Object> result(TrainingResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("converged", result.converged());
        fields.put("reason", result.reason());
        fields.put("steps", result.steps());
        fields.put("epochs", result.epochs());
        result.finalLoss().ifPresent(loss -> fields.put("finalLoss", loss));
        result.evaluation().ifPresent(evaluation -> {
            fields.put("heldOutLoss", evaluation.loss());
            fields.put("heldOutAccuracy", evaluation.accuracy());
            fields.put("heldOutSamples", evaluation.samples());
        });
        result.model().ifPresent(model -> fields.put("model", model));
        return fields;
    }

    /** Reads what {@link #result(TrainingResult)} wrote. */
    static TrainingResult result(JsonNode event) {
        return new TrainingResult(
                event.required("converged").asBoolean(),
                event.required("reason").asText(),
                event.required("steps").asLong(),
                event.required("epochs").asDouble(),
                event.has("finalLoss")
                        ? OptionalDouble.of(event.required("finalLoss").asDouble())
                        : OptionalDouble.empty(),
                event.has("heldOutLoss")
                        ? Optional.of(new Evaluation(
                                event.required("heldOutLoss").asDouble(),
                                event.required("heldOutAccuracy").asDouble(),
                                event.required("heldOutSamples").asInt()))
                        : Optional.empty(),
                Optional.ofNullable(event.get("model")).map(JsonNode::asText));
    }

    /** Fields of an allocation: {@code ps} and {@code workers}, or {@code fromPs} and {@code fromWorkers}. */
    public static Map<String, Integer> allocation(String prefix, Allocation allocation) {
        Map<String, Integer> fields = new LinkedHashMap<>();
        fields.put(prefix.isEmpty() ? "ps" : prefix + "Ps", allocation.parameterServers());
        fields.put(prefix.isEmpty() ? "workers" : prefix + "Workers", allocation.workers());
        return fields;
    }
}
