package io.optimus.am.master.journal;

import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.JobTask;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedSample;
import java.util.LinkedHashMap;
import java.util.Map;

/** Fields of the journal's events; the page's JSON uses the same names. */
public final class JournalFields {
    private JournalFields() {}

    public static Map<String, Object> directive(Directive directive) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("plan", directive.pinned() ? directive.plan() : 0);
        fields.putAll(allocation("", directive.total()));
        Map<String, Object> nodes = new LinkedHashMap<>();
        directive.target().forEach((place, allocation) -> nodes.put(place.node(), allocation("", allocation)));
        fields.put("nodes", nodes);
        fields.put("exploring", directive.exploring());
        fields.put("reason", directive.reason());
        directive.remainingSeconds().ifPresent(seconds -> fields.put("remainingSeconds", seconds));
        directive.remainingTime().ifPresent(time -> fields.put("remainingTime", time));
        return fields;
    }

    public static Map<String, Object> resizing(Allocation from, Allocation to, Directive directive) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.putAll(allocation("from", from));
        fields.putAll(allocation("to", to));
        fields.put("plan", directive.pinned() ? directive.plan() : 0);
        fields.put("exploring", directive.exploring());
        return fields;
    }

    public static Map<String, Object> resize(ResizeRecord resize) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.putAll(allocation("from", resize.from()));
        fields.putAll(allocation("to", resize.to()));
        fields.put("pauseMillis", resize.pauseMillis());
        fields.put("exploring", resize.exploring());
        fields.put("reason", resize.reason());
        fields.put("plan", resize.plan());
        fields.put("planned", resize.planned());
        fields.put("step", resize.step());
        fields.put("atMillis", resize.atMillis());
        return fields;
    }

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

    public static Map<String, Object> task(JobTask task) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("task", task.id().toString());
        fields.put("node", task.grant().node());
        fields.put("container", task.grant().container());
        return fields;
    }

    public static Map<String, Object> lost(JobTask task, ContainerExit exit, String logUrl) {
        Map<String, Object> fields = task(task);
        fields.put("exitStatus", exit.status());
        fields.put("diagnostics", exit.diagnostics());
        fields.put("log", logUrl);
        return fields;
    }

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

    /** {@code ps} and {@code workers}, or {@code fromPs} and {@code fromWorkers}. */
    public static Map<String, Integer> allocation(String prefix, Allocation allocation) {
        Map<String, Integer> fields = new LinkedHashMap<>();
        fields.put(prefix.isEmpty() ? "ps" : prefix + "Ps", allocation.parameterServers());
        fields.put(prefix.isEmpty() ? "workers" : prefix + "Workers", allocation.workers());
        return fields;
    }
}
