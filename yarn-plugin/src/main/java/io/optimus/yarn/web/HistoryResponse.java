package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Jobs that have ended, as JSON. */
final class HistoryResponse {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private HistoryResponse() {}

    /** One page of the ended jobs that {@code shown} accepts, the newest first. */
    static ObjectNode of(SchedulerOverview overview, Page page, Fields fields, Predicate<PastJob> shown) {
        List<PastJob> all = overview.state().past().newestFirst(overview.state().registry()::contains).stream()
                .filter(shown)
                .toList();
        int begin = 0;
        if (page.after().isPresent()) {
            List<ApplicationId> ids = all.stream().map(PastJob::id).toList();
            begin = ids.indexOf(page.after().get()) + 1;
            begin = begin == 0 ? all.size() : begin;
        }
        int end = Math.min(all.size(), begin + page.limit());
        ObjectNode json = NODES.objectNode();
        ArrayNode jobs = json.putArray("jobs");
        all.subList(begin, end).forEach(job -> jobs.add(fields.select(of(job))));
        json.put("next", end < all.size() ? all.get(end - 1).id().toString() : null);
        return json;
    }

    static ObjectNode of(PastJob job) {
        ObjectNode json = NODES.objectNode();
        json.put("id", job.id().toString());
        json.put("name", job.owned().name());
        json.put("user", job.owned().user());
        json.put("queue", job.owned().queue());
        json.put("state", "ended");
        json.put("outcome", job.outcome().word());
        json.put("submittedMillis", job.owned().submittedMillis());
        json.put("endedMillis", job.endedMillis());
        json.put("step", job.result().step());
        put(json, "epoch", job.result().epoch());
        put(json, "loss", job.result().loss());
        put(json, "accuracy", job.end().accuracy());
        json.put("output", job.end().output().orElse(null));
        json.set("largest", JobResponse.allocation(job.result().tasks()));
        json.put("resizes", job.result().resizes());
        json.put("reason", job.result().reason());
        ArrayNode predictions = json.putArray("predictions");
        job.checked().forEach(each -> predictions.add(prediction(each)));
        return json;
    }

    private static ObjectNode prediction(CheckedPrediction checked) {
        ObjectNode json = NODES.objectNode();
        json.put("fraction", checked.fraction());
        put(json, "predictedRemainingSeconds", checked.predicted().seconds());
        json.put("actualRemainingSeconds", checked.seconds());
        put(json, "predictedStepsPerSecond", checked.predicted().stepsPerSecond());
        json.put("actualStepsPerSecond", checked.stepsPerSecond());
        return json;
    }

    private static void put(ObjectNode json, String name, OptionalDouble value) {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            json.put(name, value.getAsDouble());
        } else {
            json.putNull(name);
        }
    }
}
