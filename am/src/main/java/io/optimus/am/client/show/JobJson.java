package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.SchedulerJob;
import io.optimus.am.client.cluster.SchedulerJob.TaskCounts;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/** A job as {@code list} and {@code status} print it for programs; what is not known is null. */
final class JobJson {
    private JobJson() {}

    static ObjectNode json(ApplicationSummary job, Optional<SchedulerJob> known) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", job.id());
        json.put("name", job.name());
        json.put("user", job.user());
        json.put("queue", job.queue());
        json.put("state", job.status().state());
        json.put("outcome", job.status().outcome().name());
        json.put("diagnostics", job.status().diagnostics());
        json.put("submittedMillis", job.period().startMillis());
        json.put("endedMillis", job.status().ended() ? job.period().finishMillis() : null);
        json.put("page", job.trackingUrl());
        number(json, "epoch", known.map(SchedulerJob::training).map(SchedulerJob.Training::epoch));
        json.put("step", known.map(progress -> progress.training().step()).orElse(null));
        number(json, "loss", known.map(SchedulerJob::training).map(SchedulerJob.Training::loss));
        number(json, "accuracy", known.map(progress -> progress.result().accuracy()));
        json.put("output", known.flatMap(progress -> progress.result().output()).orElse(null));
        number(json, "stepsPerSecond", known.map(SchedulerJob::training).map(SchedulerJob.Training::stepsPerSecond));
        json.put(
                "remainingTime",
                known.flatMap(progress -> progress.training().remaining())
                        .map(SchedulerJob.Remaining::words)
                        .orElse(null));
        boolean ended = job.status().ended();
        json.set("allocation", tasks(known.filter(progress -> !ended).map(SchedulerJob::current)));
        json.set("largest", tasks(known.filter(progress -> ended).map(SchedulerJob::current)));
        json.set("planned", tasks(known.flatMap(SchedulerJob::planned)));
        json.put("reason", known.map(SchedulerJob::reason).orElse(null));
        json.put("schedulerMode", known.map(SchedulerJob::schedulerMode).orElse(null));
        json.put(
                "waitingSinceMillis",
                known.flatMap(SchedulerJob::waitingSince)
                        .map(Instant::toEpochMilli)
                        .orElse(null));
        return json;
    }

    private static void number(ObjectNode json, String name, Optional<OptionalDouble> number) {
        OptionalDouble value = number.orElse(OptionalDouble.empty());
        if (value.isPresent()) {
            json.put(name, value.getAsDouble());
        } else {
            json.putNull(name);
        }
    }

    private static JsonNode tasks(Optional<TaskCounts> tasks) {
        return tasks.<JsonNode>map(count -> JsonNodeFactory.instance
                        .objectNode()
                        .put("parameterServers", count.parameterServers())
                        .put("workers", count.workers()))
                .orElse(JsonNodeFactory.instance.nullNode());
    }
}
