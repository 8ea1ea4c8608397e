package io.optimus.am.master.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.JournalFields;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.TaskView;
import io.optimus.model.losses.LossPoint;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The status as JSON: {@code GET /api/status}. Fields that are not known yet are left out. */
final class StatusJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StatusJson() {}

    static byte[] write(StatusView view) {
        try {
            return MAPPER.writeValueAsString(fields(view)).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A status of numbers and texts cannot fail to be written", e);
        }
    }

    private static Map<String, Object> fields(StatusView view) {
        Map<String, Object> fields = new LinkedHashMap<>();
        putJob(fields, view);
        putTraining(fields, view.training());
        putPlan(fields, view.plan());
        StatusView.History history = view.history();
        fields.put("losses", history.losses().stream().map(StatusJson::point).toList());
        fields.put(
                "allocations",
                history.resizes().stream().map(StatusJson::allocation).toList());
        fields.put(
                "resizes", history.resizes().stream().map(JournalFields::resize).toList());
        fields.put("metrics", history.metrics());
        fields.put("tasks", view.tasks().stream().map(StatusJson::task).toList());
        fields.put("avoidedNodes", view.plan().avoidedNodes());
        fields.put("survivingTasksRestarted", history.restartedTasks());
        fields.put("lostTasks", history.lostTasks());
        fields.put("survived", survived(history.survived()));
        fields.put("finished", view.result().isPresent());
        view.result().map(JournalFields::result).ifPresent(result -> fields.put("result", result));
        return fields;
    }

    private static void putJob(Map<String, Object> fields, StatusView view) {
        JobSpec spec = view.job().spec();
        fields.put("id", view.job().applicationId());
        fields.put("attempt", view.job().attempt());
        fields.put("name", spec.name());
        fields.put("mode", spec.mode().name().toLowerCase(Locale.ROOT));
        fields.put("engine", spec.engine().engine());
        fields.put("model", spec.engine().model());
        fields.put("dataset", spec.dataset());
        fields.put("paced", spec.paced());
        fields.put("startedMillis", view.job().submittedMillis());
        fields.put("atMillis", view.atMillis());
    }

    private static void putTraining(Map<String, Object> fields, CoordinatorStatus training) {
        fields.put("state", training.state().name().toLowerCase(Locale.ROOT));
        fields.put("step", training.progress().step());
        fields.put("epoch", training.progress().epoch());
        fields.put("stepsPerEpoch", training.progress().stepsPerEpoch());
        training.progress().recentLoss().ifPresent(loss -> fields.put("loss", loss));
        training.progress().stepsPerSecond().ifPresent(speed -> fields.put("stepsPerSecond", speed));
        training.progress().batch().ifPresent(batch -> fields.put("batch", JournalFields.batch(batch)));
        fields.put("membership", training.membership().toString());
        fields.put("allocation", JournalFields.allocation("", training.allocation()));
    }

    private static void putPlan(Map<String, Object> fields, StatusView.FollowedPlan plan) {
        Directive directive = plan.directive();
        fields.put("sizedBy", plan.sizesItself() ? "job" : "scheduler");
        fields.put("plan", directive.schedulerPlan());
        fields.put("settled", plan.settled());
        fields.put("target", JournalFields.allocation("", directive.total()));
        fields.put("planned", JournalFields.allocation("", directive.planned()));
        fields.put("exploring", directive.exploring());
        fields.put("reason", directive.reason());
        JournalFields.putRemaining(fields, directive.remaining());
    }

    private static List<Number> point(LossPoint point) {
        return List.of(point.step(), point.loss());
    }

    /** The allocation that a resize led to, and when. */
    private static Map<String, Object> allocation(ResizeRecord resize) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("atMillis", resize.atMillis());
        fields.putAll(JournalFields.allocation("", resize.to()));
        return fields;
    }

    private static Map<String, Object> survived(Survived survived) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("events", survived.events());
        fields.put("stepsRedone", survived.stepsRedone());
        fields.put("stalledMillis", survived.stalledMillis());
        fields.put("longestStallMillis", survived.longestStallMillis());
        fields.put("refusedCallers", survived.refusedCallers());
        fields.put("last", survived.last().stream().map(StatusJson::event).toList());
        return fields;
    }

    private static Map<String, Object> event(Survived.Event event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("atMillis", event.atMillis());
        fields.put("what", event.what());
        event.stallMillis().ifPresent(millis -> fields.put("stallMillis", millis));
        return fields;
    }

    private static Map<String, Object> task(TaskView task) {
        Map<String, Object> fields = JournalFields.task(task.id(), task.container());
        fields.put("state", task.state());
        fields.put("stepsPerSecond", task.stepsPerSecond());
        fields.put("log", task.container().logUrl());
        return fields;
    }
}
