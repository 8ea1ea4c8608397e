package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import java.util.List;

/** The leaf queues with training jobs, as the last round saw them, as JSON. */
final class QueuesResponse {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private QueuesResponse() {}

    static ObjectNode of(SchedulerOverview overview) {
        PublishedPlan plan = overview.state().plan().current();
        ObjectNode json = NODES.objectNode();
        ArrayNode queues = json.putArray("queues");
        List<QueueView> seen =
                overview.state().log().lastView().map(ClusterView::queues).orElseGet(List::of);
        seen.forEach(queue -> queues.add(queue(overview, plan, queue)));
        return json;
    }

    private static ObjectNode queue(SchedulerOverview overview, PublishedPlan plan, QueueView queue) {
        ObjectNode json = NODES.objectNode();
        json.put("queue", queue.queue());
        json.put("partition", queue.partition());
        json.put("policy", overview.configuration().policies().of(queue.queue()));
        json.set("most", ExplainResponse.resources(queue.cluster().budget()));
        json.set("held", ExplainResponse.resources(queue.trainingHeld()));
        json.set("left", ExplainResponse.resources(queue.cluster().budget().minus(queue.trainingHeld())));
        json.set("guaranteed", ExplainResponse.resources(queue.guaranteed().budget()));
        json.set("ordinaryUsed", ExplainResponse.resources(queue.ordinary().used()));
        json.set("ordinaryPending", ExplainResponse.resources(queue.ordinary().pending()));
        int waiting = 0;
        for (ApplicationUsage usage : queue.usages()) {
            boolean waits = plan.of(usage.application().id())
                    .map(JobPlan::planned)
                    .filter(planned -> !planned.equals(Placement.NONE))
                    .isEmpty();
            waiting += waits ? 1 : 0;
        }
        json.put("jobs", queue.usages().size());
        json.put("waitingJobs", waiting);
        ArrayNode users = json.putArray("users");
        queue.userBudgets().forEach((user, most) -> {
            ObjectNode each = users.addObject();
            each.put("user", user);
            each.set("most", ExplainResponse.resources(most));
            each.set("held", ExplainResponse.resources(queue.heldByUser().getOrDefault(user, Resources.NONE)));
        });
        return json;
    }
}
