package io.optimus.am.client.top;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.cluster.SchedulerClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of the scheduler and its jobs, in the JSON of its REST service.
 *
 * @param info the scheduler itself
 * @param queues the leaf queues with training jobs
 * @param jobs the jobs that the user may see, each with the fields that {@link #FIELDS} names
 */
record ClusterState(JsonNode info, List<JsonNode> queues, List<JsonNode> jobs) {
    /** Only what is shown: jobs have many more, and the ResourceManager writes all of them for each refresh. */
    private static final String FIELDS =
            "id,name,user,queue,state,submittedMillis,waitingSinceMillis,step,loss,allocation,"
                    + "planned,stepsPerSecond,remainingSeconds,remainingTime,reason";

    ClusterState {
        queues = List.copyOf(queues);
        jobs = List.copyOf(jobs);
    }

    static ClusterState read(SchedulerClient scheduler) throws IOException {
        return new ClusterState(
                scheduler.read(""),
                list(scheduler.read("/queues").path("queues")),
                list(scheduler.readAll("/jobs?limit=1000&fields=" + FIELDS).path("jobs")));
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> list = new ArrayList<>();
        array.forEach(list::add);
        return list;
    }

    /** The sum of a resource over the queues, such as {@code held} of {@code yarn.io/gpu}. */
    long sum(String field, String resource) {
        return queues.stream()
                .mapToLong(queue -> queue.path(field).path(resource).asLong())
                .sum();
    }
}
