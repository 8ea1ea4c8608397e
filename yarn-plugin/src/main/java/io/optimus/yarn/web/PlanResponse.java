package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.operator.SizeOrder;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.round.RoundLog;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

final class PlanResponse {
    /** From the manifest of the jar; classes that are in no jar have none. */
    private static final String VERSION = Optional.ofNullable(
                    SchedulerOverview.class.getPackage().getImplementationVersion())
            .orElse("unknown");

    private PlanResponse() {}

    /** A page of plans ends at this number of nodes in the placements of its jobs. */
    private static final int MOST_NODES = 10_000;

    /** One page of the plan, with those jobs that {@code shown} accepts. */
    static ObjectNode of(SchedulerOverview overview, Page page, Predicate<ApplicationId> shown) {
        PublishedPlan plan = overview.state().plan().current();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("number", plan.number());
        json.put("frozen", plan.frozen());
        json.put("mode", overview.configuration().mode().word());
        ArrayNode jobs = json.putArray("jobs");
        Page.Ids ids = page.of(
                List.copyOf(plan.jobs().keySet()),
                shown,
                id -> plan.of(id).map(PlanResponse::nodes).orElse(0),
                MOST_NODES);
        ids.ids().forEach(id -> plan.of(id).ifPresent(part -> jobs.add(part(id, part))));
        json.put("next", ids.next().orElse(null));
        addRounds(json, overview);
        return json;
    }

    /** The last rounds, the newest first. */
    static ObjectNode rounds(SchedulerOverview overview) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        addRounds(json, overview);
        return json;
    }

    private static void addRounds(ObjectNode json, SchedulerOverview overview) {
        ArrayNode rounds = json.putArray("rounds");
        overview.state().log().newestFirst().forEach(round -> rounds.add(round(round)));
    }

    private static int nodes(JobPlan part) {
        return part.planned().byNode().size() + part.target().byNode().size();
    }

    static ObjectNode info(SchedulerOverview overview) {
        OptimusConfiguration configuration = overview.configuration();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("scheduler", "optimus");
        json.put("version", VERSION);
        json.put("mode", configuration.mode().word());
        json.put("policy", configuration.policies().defaultPolicy());
        json.put("roundIntervalMillis", configuration.rounds().intervalMillis());
        json.put("reportIntervalMillis", configuration.service().reportIntervalMillis());
        json.put("graceMillis", configuration.shrinking().graceMillis());
        json.put(
                "trainingAddress",
                overview.trainingAddress()
                        .map(address -> address.getHostString() + ":" + address.getPort())
                        .orElse(null));
        overview.problems().forEach(json.putArray("problems")::add);
        orders(json, overview.state().orders().inForce());
        json.put("jobs", overview.state().registry().size());
        json.put("rounds", overview.state().log().run());
        json.put("plan", overview.state().plan().current().number());
        return json;
    }

    private static void orders(ObjectNode json, OperatorOrders.InForce orders) {
        json.set("pause", orders.pause().<JsonNode>map(PlanResponse::order).orElse(NullNode.getInstance()));
        ObjectNode nodes = json.putObject("drainedNodes");
        orders.drainedNodes().forEach((node, order) -> nodes.set(node, order(order)));
        ObjectNode queues = json.putObject("drainedQueues");
        orders.drainedQueues().forEach((queue, order) -> queues.set(queue, order(order)));
    }

    static ObjectNode fixedSize(SizeOrder fixed) {
        ObjectNode json = order(fixed.order());
        json.setAll(JobResponse.allocation(fixed.size()));
        return json;
    }

    private static ObjectNode order(Order order) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("by", order.user());
        json.put("sinceMillis", order.sinceMillis());
        return json;
    }

    private static ObjectNode part(ApplicationId id, JobPlan part) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", id.toString());
        json.put("number", part.number());
        json.set("planned", JobResponse.allocation(part.planned().allocation()));
        json.set("plannedPlacement", JobResponse.placement(part.planned()));
        json.set("target", JobResponse.placement(part.target()));
        json.put("exploring", part.exploring());
        json.put("shrinking", part.graceEndsMillis().isPresent());
        json.put("reason", part.reason());
        json.set("kinds", JobResponse.kinds(part.why()));
        json.set("figures", JobResponse.figures(part.why().figures()));
        return json;
    }

    private static ObjectNode round(RoundLog.Entry round) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("number", round.number());
        json.put("time", round.startedMillis());
        json.put("durationMillis", round.durationMillis());
        json.put("jobs", round.jobs());
        json.put("plan", round.plan());
        json.put("changes", round.changes());
        ArrayNode early = json.putArray("early");
        round.triggers().stream()
                .map(reason -> reason.name().toLowerCase(Locale.ROOT))
                .sorted()
                .forEach(early::add);
        json.put("outcome", round.outcome());
        return json;
    }
}
