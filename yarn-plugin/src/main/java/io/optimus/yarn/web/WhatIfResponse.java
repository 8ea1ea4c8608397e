package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.sim.forecast.ForecastResult;
import io.optimus.sim.forecast.JobForecast;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.whatif.Answer;
import io.optimus.yarn.whatif.Effect;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Answers to what-if questions in JSON. All times are seconds from the moment of the question. */
final class WhatIfResponse {
    /** A forecast leaves out the jobs of drained queues. */
    private static final String DRAINED =
            "its queue is drained by an administrator: it waits until training may use it again";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> ASSUMPTIONS = List.of(
            "no further job is submitted, and no node fails",
            "ordinary applications keep what they hold and ask for",
            "each job runs at the speed and for the steps that the scheduler believes now, and tries no further sizes",
            "plans take effect at once, after the pause of a start or a resize");

    private final Answer answer;
    private final OptimusConfiguration settings;
    private final Predicate<ApplicationId> shown;

    /** An answer for a caller who may see the jobs that {@code shown} accepts. */
    WhatIfResponse(Answer answer, OptimusConfiguration settings, Predicate<ApplicationId> shown) {
        this.answer = answer;
        this.settings = settings;
        this.shown = shown;
    }

    ObjectNode json() {
        ObjectNode json = NODES.objectNode();
        json.put("time", answer.millis());
        json.put("mode", settings.mode().word());
        json.put("paused", answer.paused());
        ArrayNode assumptions = json.putArray("assumptions");
        ASSUMPTIONS.forEach(assumptions::add);
        if (answer.paused()) {
            assumptions.add("rounds go on, though an administrator has paused them");
        }
        ArrayNode changes = json.putArray("changes");
        answer.changes().forEach(change -> changes.add(change(change)));
        return json;
    }

    private ObjectNode change(Answer.Change change) {
        Effect effect = change.effect();
        ObjectNode json = NODES.objectNode();
        change.node().ifPresent(node -> {
            ObjectNode added = json.putObject("node");
            added.set("resources", ExplainResponse.resources(node.capacity()));
            added.put("gpuType", node.gpuType());
            added.put("like", change.like());
        });
        json.put("reachSeconds", effect.after().reachSeconds());
        json.put("roundSeconds", effect.after().roundSeconds());
        json.put("reach", effect.after().end().words());
        json.set(
                "job",
                answer.asked().<JsonNode>map(asked -> asked(asked, effect)).orElse(NullNode.getInstance()));
        json.set("all", all(effect));
        ArrayNode jobs = json.putArray("jobs");
        answer.jobs().stream().filter(job -> shown.test(job.id())).forEach(job -> jobs.add(job(job, effect)));
        return json;
    }

    private static ObjectNode all(Effect effect) {
        ObjectNode json = NODES.objectNode();
        json.put("jobs", effect.jobs());
        json.put("compared", effect.compared());
        json.put("sooner", effect.sooner());
        json.put("later", effect.later());
        json.put("sumLaterSeconds", effect.sumLaterSeconds());
        put(json, "meanLaterSeconds", effect.meanLaterSeconds());
        return json;
    }

    private static ObjectNode asked(Answer.Asked asked, Effect effect) {
        ObjectNode json = NODES.objectNode();
        json.put("id", asked.id());
        json.put("name", asked.name());
        json.put("user", asked.user());
        json.put("queue", asked.queue());
        json.put("speedFrom", asked.speedFrom());
        json.put("stepsFrom", asked.stepsFrom());
        json.put(
                "reason",
                effect.after(asked.id())
                        .map(job -> job.first().reason())
                        .orElseGet(() -> new SchedulerReason.QueueDrained(asked.queue()).sentence()));
        json.set("forecast", forecast(effect.after(asked.id()), effect.after()));
        return json;
    }

    private static ObjectNode job(JobView job, Effect effect) {
        String id = job.id().toString();
        ObjectNode json = NODES.objectNode();
        json.put("id", id);
        json.put("name", job.registration().name());
        json.put("user", job.facts().user());
        json.put("queue", job.facts().queue());
        json.set("allocation", JobResponse.allocation(job.progress().members().allocation()));
        json.set("before", forecast(effect.before(id), effect.before()));
        json.set("after", forecast(effect.after(id), effect.after()));
        put(json, "laterSeconds", effect.laterSeconds(id));
        return json;
    }

    private static ObjectNode forecast(Optional<JobForecast> known, ForecastResult whole) {
        ObjectNode json = NODES.objectNode();
        json.set(
                "planned",
                JobResponse.allocation(
                        known.map(job -> job.first().planned().allocation()).orElse(Allocation.NONE)));
        OptionalDouble start = known.map(JobForecast::startSeconds).orElseGet(OptionalDouble::empty);
        OptionalDouble end = known.map(JobForecast::endSeconds).orElseGet(OptionalDouble::empty);
        put(json, "startSeconds", start);
        put(json, "endSeconds", end);
        json.put("start", start.isPresent() ? inWords(start) : "no predicted start: " + noStart(known, whole));
        json.put("end", end.isPresent() ? inWords(end) : "no predicted end: " + noEnd(known, whole));
        json.put("resizes", known.map(JobForecast::resizes).orElse(0));
        ArrayNode sizes = json.putArray("sizes");
        known.ifPresent(job -> job.sizes().forEach(size -> {
            ObjectNode at = JobResponse.allocation(size.size());
            at.put("seconds", size.seconds());
            sizes.add(at);
        }));
        return json;
    }

    private static String noStart(Optional<JobForecast> job, ForecastResult whole) {
        return job.isEmpty() ? DRAINED : whole.end().words();
    }

    private static String noEnd(Optional<JobForecast> job, ForecastResult whole) {
        if (job.isEmpty()) {
            return DRAINED;
        }
        return job.get().predictable() ? whole.end().words() : "its speed or its remaining steps are not known";
    }

    private static String inWords(OptionalDouble seconds) {
        double time = seconds.getAsDouble();
        return time == 0 ? "now" : "in " + new RemainingTime(seconds, time, time).inWords();
    }

    private static void put(ObjectNode json, String name, OptionalDouble value) {
        if (value.isPresent()) {
            json.put(name, value.getAsDouble());
        } else {
            json.putNull(name);
        }
    }
}
