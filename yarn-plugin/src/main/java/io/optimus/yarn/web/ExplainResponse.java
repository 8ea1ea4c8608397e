package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.Reason;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.explain.Asked;
import io.optimus.yarn.explain.ExplanationText;
import io.optimus.yarn.explain.JobExplanation;
import io.optimus.yarn.explain.JobExplanation.Place;
import io.optimus.yarn.explain.Limit;
import io.optimus.yarn.explain.Release;
import io.optimus.yarn.jobs.JobView;
import java.util.Optional;
import java.util.OptionalDouble;

/** Why a job has what it has, as JSON. */
final class ExplainResponse {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ExplainResponse() {}

    static ObjectNode of(JobView job, JobExplanation explanation, OptimusConfiguration settings) {
        ObjectNode json = NODES.objectNode();
        json.put("id", job.id().toString());
        json.put("name", job.registration().name());
        json.put("user", job.facts().user());
        json.put("queue", job.facts().queue());
        json.put("policy", settings.policies().of(job.facts().queue()));
        json.put("schedulerMode", settings.mode().word());
        json.put("reason", explanation.why().sentence());
        json.set("kinds", JobResponse.kinds(explanation.why()));
        json.set("figures", JobResponse.figures(explanation.why().figures()));
        ArrayNode parts = json.putArray("parts");
        explanation.why().parts().forEach(part -> parts.add(part(part)));
        json.set("asked", asked(explanation.asked()));
        json.set("allocation", JobResponse.allocation(explanation.tasks().held()));
        json.set("planned", JobResponse.allocation(explanation.tasks().planned()));
        json.set("awaited", JobResponse.allocation(explanation.tasks().awaited()));
        json.set("next", JobResponse.allocation(explanation.tasks().next()));
        ArrayNode limits = json.putArray("limits");
        explanation.limits().forEach(limit -> limits.add(limit(limit)));
        json.set(
                "rival",
                explanation.rival().<JsonNode>map(ExplainResponse::rival).orElse(NullNode.getInstance()));
        json.set(
                "place",
                explanation.place().<JsonNode>map(ExplainResponse::place).orElse(NullNode.getInstance()));
        explanation.outlook().remedies().forEach(json.putArray("remedies")::add);
        json.set("expected", expected(explanation));
        ExplanationText.of(explanation).forEach(json.putArray("text")::add);
        return json;
    }

    private static ObjectNode part(Reason part) {
        ObjectNode json = NODES.objectNode();
        json.put("sentence", part.sentence());
        ArrayNode kinds = json.putArray("kinds");
        part.kinds().forEach(kind -> kinds.add(kind.word()));
        return json;
    }

    private static ObjectNode asked(Asked asked) {
        ObjectNode json = NODES.objectNode();
        json.set("minimum", JobResponse.allocation(asked.demand().minimum()));
        json.set("maximum", JobResponse.allocation(asked.demand().maximum()));
        json.set("worker", resources(asked.demand().workers().task()));
        json.set("parameterServer", resources(asked.demand().parameterServers().task()));
        json.put("priority", asked.terms().priority());
        json.put("preemptible", asked.terms().preemptible());
        json.put("minRunSeconds", asked.terms().minRunSeconds());
        json.put("mayShrink", asked.mayShrink());
        ArrayNode types = json.putArray("gpuTypes");
        asked.terms().gpuTypes().forEach(types::add);
        return json;
    }

    static ObjectNode resources(Resources resources) {
        ObjectNode json = NODES.objectNode();
        resources.amounts().forEach(json::put);
        return json;
    }

    private static ObjectNode limit(Limit limit) {
        ObjectNode json = NODES.objectNode();
        json.put("scope", limit.scope().word());
        json.put("name", limit.name());
        json.set("most", resources(limit.most()));
        json.set("left", resources(limit.left()));
        json.put("reached", limit.isReached());
        json.put("lacking", limit.lacking().orElse(null));
        return json;
    }

    private static ObjectNode rival(Reason.Rival rival) {
        ObjectNode json = NODES.objectNode();
        json.put("id", rival.job());
        seconds(json, "secondsSaved", rival.secondsSaved());
        seconds(json, "ownSecondsSaved", rival.ownSecondsSaved());
        seconds(json, "value", rival.value());
        seconds(json, "ownValue", rival.ownValue());
        return json;
    }

    private static ObjectNode place(Place place) {
        return NODES.objectNode()
                .put("place", place.place())
                .put("waiting", place.waiting())
                .put("order", place.order());
    }

    private static JsonNode expected(JobExplanation explanation) {
        Optional<Release> last = explanation.outlook().last();
        if (last.isEmpty()) {
            return NullNode.getInstance();
        }
        RemainingTime time = last.get().time();
        ObjectNode json = NODES.objectNode();
        seconds(json, "seconds", time.seconds());
        seconds(json, "fewestSeconds", OptionalDouble.of(time.fewestSeconds()));
        seconds(json, "mostSeconds", OptionalDouble.of(time.mostSeconds()));
        json.put("time", time.inWords());
        ArrayNode ends = json.putArray("ends");
        for (Release release : explanation.outlook().releases()) {
            ends.addObject()
                    .put("id", release.job().toString())
                    .put("time", release.time().inWords())
                    .set("frees", resources(release.frees()));
        }
        return json;
    }

    private static void seconds(ObjectNode json, String name, OptionalDouble seconds) {
        if (seconds.isPresent() && Double.isFinite(seconds.getAsDouble())) {
            json.put(name, seconds.getAsDouble());
        } else {
            json.putNull(name);
        }
    }
}
