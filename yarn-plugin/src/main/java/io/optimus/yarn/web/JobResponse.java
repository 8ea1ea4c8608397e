package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Allocation;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.MeasuredSpeed;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.BatchSplit;
import io.optimus.model.throughput.Goodput;
import io.optimus.model.throughput.GoodputObservations;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.validation.ReportedResize;
import io.optimus.yarn.validation.TaskRate;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job as JSON. Unknown values are null; JSON has no NaN and no infinity. */
final class JobResponse {
    /** The field that says whether a job's plan is carried out. */
    static final String SCHEDULER_MODE = "schedulerMode";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JobResponse() {}

    /** One page of the jobs that the caller may see, each without what grows with its tasks. */
    static ObjectNode list(SchedulerOverview overview, Page page, Fields fields, Predicate<ApplicationId> shown) {
        ObjectNode json = NODES.objectNode();
        ArrayNode jobs = json.putArray("jobs");
        JobRegistry registry = overview.state().registry();
        Page.Ids ids = page.of(registry.ids(), shown, id -> 0, 0);
        for (ApplicationId id : ids.ids()) {
            registry.view(id).ifPresent(job -> jobs.add(fields.select(listed(JobTexts.Source.of(overview, job)))));
        }
        json.put("next", ids.next().orElse(null));
        return json;
    }

    /** A job in the list. */
    static ObjectNode listed(JobTexts.Source source) {
        return summary(source.job(), source.plan(), source.estimate(), source.waitsSinceMillis())
                .put(SCHEDULER_MODE, source.mode().word());
    }

    /**
     * Since when a job waits, in milliseconds since 1970; empty if it does not. These are whole seconds, without the difference
     * between two clocks, which would make every answer a new one.
     */
    static OptionalLong waitsSinceMillis(JobView job) {
        OptionalLong waits = job.waitsSinceMillis(System.currentTimeMillis(), ControlLoop.clock());
        return waits.isPresent()
                ? OptionalLong.of(TimeUnit.SECONDS.toMillis(TimeUnit.MILLISECONDS.toSeconds(waits.getAsLong())))
                : waits;
    }

    /** One page of what the scheduler believes of the jobs that {@code shown} accepts. */
    static ObjectNode models(SchedulerOverview overview, Page page, Fields fields, Predicate<ApplicationId> shown) {
        ObjectNode json = NODES.objectNode();
        ArrayNode jobs = json.putArray("jobs");
        JobRegistry registry = overview.state().registry();
        Page.Ids ids = page.of(registry.ids(), shown, id -> 0, 0);
        for (ApplicationId id : ids.ids()) {
            registry.view(id).ifPresent(job -> {
                ObjectNode model = NODES.objectNode();
                model.put("id", id.toString());
                model.put("mode", job.registration().training().mode().name().toLowerCase(Locale.ROOT));
                model.putNull("lossCurve");
                model.putNull("speedFunction");
                model.putNull("remaining");
                overview.state().beliefs().of(id).ifPresent(known -> fits(model, job, known));
                jobs.add(fields.select(model));
            });
        }
        json.put("next", ids.next().orElse(null));
        return json;
    }

    /** The whole job. */
    static ObjectNode of(JobView job, Optional<JobPlan> plan, Optional<Estimate> estimate) {
        ObjectNode json = summary(job, plan, estimate, waitsSinceMillis(job));
        json.set("placement", placement(job.progress().members()));
        json.set("plannedPlacement", placement(plan.map(JobPlan::planned).orElse(Placement.NONE)));
        estimate.ifPresent(known -> fits(json, job, known));
        json.set("resizes", resizes(job));
        json.set("tasks", tasks(job));
        return json;
    }

    private static ObjectNode summary(
            JobView job, Optional<JobPlan> plan, Optional<Estimate> estimate, OptionalLong waitsSinceMillis) {
        Allocation now = job.progress().members().allocation();
        Explanation why = plan.map(JobPlan::why).orElseGet(() -> Explanation.of(new SchedulerReason.FirstPlan()));
        ObjectNode json = NODES.objectNode();
        json.put("id", job.id().toString());
        json.put("name", job.registration().name());
        json.put("user", job.facts().user());
        json.put("queue", job.facts().queue());
        json.put("mode", job.registration().training().mode().name().toLowerCase(Locale.ROOT));
        json.put("state", job.state().word());
        json.put("priority", job.scheduling().priority());
        json.put("submittedMillis", job.facts().submitMillis());
        json.put("waitingSinceMillis", waitsSinceMillis.isPresent() ? (Long) waitsSinceMillis.getAsLong() : null);
        json.put("step", job.progress().step());
        put(json, "epoch", job.progress().epoch());
        put(json, "loss", job.progress().loss());
        json.set("allocation", allocation(now));
        json.set(
                "planned",
                allocation(plan.map(part -> part.planned().allocation()).orElse(Allocation.NONE)));
        json.set("awaited", allocation(plan.map(JobPlan::awaited).orElse(Allocation.NONE)));
        put(json, "stepsPerSecond", measured(job, now));
        remaining(
                json,
                estimate.flatMap(known -> known.remainingTime(
                        now, job.measured().gpuSpeed(), (double) job.progress().step())));
        json.put("reason", why.sentence());
        json.set("kinds", kinds(why));
        json.set("figures", figures(why.figures()));
        json.put("exploring", plan.map(JobPlan::exploring).orElse(false));
        ArrayNode types = json.putArray("gpuTypes");
        job.scheduling().gpuTypes().forEach(types::add);
        json.put("paced", job.registration().training().paced());
        json.put("plan", plan.map(JobPlan::number).orElse(0L));
        json.put("carriedOutPlan", job.progress().plan());
        job.measured().goodput().ifPresent(seen -> json.set("batch", batch(job, seen, estimate)));
        json.put("refusedValues", job.reports().refusedValues());
        return json;
    }

    static ObjectNode allocation(Allocation allocation) {
        ObjectNode json = NODES.objectNode();
        json.put("parameterServers", allocation.parameterServers());
        json.put("workers", allocation.workers());
        return json;
    }

    static ObjectNode placement(Placement placement) {
        ObjectNode json = NODES.objectNode();
        placement.byNode().forEach((node, tasks) -> json.set(node, allocation(tasks)));
        return json;
    }

    private static void remaining(ObjectNode json, Optional<RemainingTime> time) {
        put(json, "remainingSeconds", time.map(RemainingTime::seconds).orElseGet(OptionalDouble::empty));
        put(
                json,
                "fewestRemainingSeconds",
                time.map(RemainingTime::fewestSeconds).orElse(Double.NaN));
        put(json, "mostRemainingSeconds", time.map(RemainingTime::mostSeconds).orElse(Double.NaN));
        json.put("remainingTime", time.map(RemainingTime::inWords).orElse(null));
    }

    private static OptionalDouble measured(JobView job, Allocation now) {
        OptionalDouble known = job.measuredSpeed(now);
        return known.isPresent()
                ? OptionalDouble.of(known.getAsDouble() * job.measured().gpuSpeed())
                : known;
    }

    private static void fits(ObjectNode json, JobView job, Estimate estimate) {
        ObjectNode curve = json.putObject("lossCurve");
        curve.put("outcome", estimate.curve().inWords());
        if (estimate.curve() instanceof CurveFit.Fitted fitted) {
            parameters(curve, fitted.curve());
            put(curve, "firstStep", fitted.curve().firstStep());
            put(curve, "bendStep", fitted.bend());
            put(curve, "residual", fitted.residual());
            curve.put("points", fitted.points());
            curve.put("young", fitted.young());
        }
        json.set("speedFunction", speed(job, estimate.speed()));
        json.set(
                "remaining",
                estimate.remainingSteps((double) job.progress().step())
                        .match(JobResponse::predicted, unknown -> NODES.objectNode()
                                .put("unknown", unknown.reason())));
    }

    private static ObjectNode predicted(RemainingSteps.Predicted remaining) {
        ObjectNode json = NODES.objectNode();
        put(json, "steps", remaining.steps());
        put(json, "fewestSteps", remaining.fewest());
        put(json, "mostSteps", remaining.most());
        put(json, "endStep", remaining.endStep());
        json.put("vague", remaining.isVague());
        return json.put("asLastRun", remaining.cause().isEmpty());
    }

    private static void parameters(ObjectNode json, LossCurve curve) {
        json.put("family", curve.family());
        curve.parameters().forEach((name, value) -> put(json, name, value));
    }

    private static ObjectNode speed(JobView job, SpeedFit fit) {
        ObjectNode json = NODES.objectNode();
        json.put("outcome", fit.inWords());
        if (fit instanceof SpeedFit.Fitted fitted) {
            put(json, "relativeError", fitted.relativeError());
            json.put("sizes", fitted.sizes());
            json.put("young", fitted.young());
            MeasuredSpeed speed = fitted.speed();
            speed.fitted().parameters().forEach((name, value) -> put(json, name, value));
            ArrayNode sizes = json.putArray("measured");
            speed.measured()
                    .sizes()
                    .forEach(size -> put(
                            sizes.addObject()
                                    .<ObjectNode>setAll(allocation(AllReduceSpeed.sizeOfJob(
                                            job.registration().demand(), size.allocation())))
                                    .put("nodes", size.nodes()),
                            "stepsPerSecond",
                            size.stepsPerSecond()));
        }
        return json;
    }

    /** The batch of a job that adapts it; the best batch and its worth are those on its present tasks. */
    private static ObjectNode batch(JobView job, GoodputObservations seen, Optional<Estimate> estimate) {
        BatchLimits limits = seen.limits();
        ObjectNode json = NODES.objectNode();
        json.put("initial", limits.initialBatch());
        json.put("max", limits.maxBatch());
        json.put("mostAtATime", limits.maxAtomicBatch());
        put(
                json,
                "last",
                job.measured().batch().isPresent()
                        ? (double) job.measured().batch().getAsLong()
                        : Double.NaN);
        put(
                json,
                "noiseScale",
                seen.noise().map(noise -> noise.scale(limits.initialBatch())).orElse(Double.NaN));
        json.put("measuredPlacements", seen.steps().size());
        Placement members = job.progress().members();
        int workers = members.allocation().workers();
        Optional<Goodput> goodput = estimate.flatMap(Estimate::goodput).filter(known -> workers > 0);
        Optional<BatchSplit> best =
                goodput.flatMap(known -> known.batch(members.byNode().size(), workers));
        double samples = best.map(split -> (double) split.totalBatch(workers)).orElse(Double.NaN);
        put(json, "best", samples);
        put(json, "bestAtATime", best.map(split -> (double) split.atomicBatch()).orElse(Double.NaN));
        put(
                json,
                "gain",
                goodput.map(known -> known.noise().gain(samples / limits.initialBatch()))
                        .orElse(Double.NaN));
        return json;
    }

    static ArrayNode kinds(Explanation why) {
        ArrayNode json = NODES.arrayNode();
        why.kinds().forEach(kind -> json.add(kind.word()));
        return json;
    }

    static ObjectNode figures(SortedMap<String, Double> figures) {
        ObjectNode json = NODES.objectNode();
        figures.forEach((name, value) -> put(json, name, value));
        return json;
    }

    private static ArrayNode resizes(JobView job) {
        ArrayNode json = NODES.arrayNode();
        for (ReportedResize resize : job.history().resizes()) {
            json.addObject()
                    .put("fromPs", resize.from().parameterServers())
                    .put("fromWorkers", resize.from().workers())
                    .put("toPs", resize.to().parameterServers())
                    .put("toWorkers", resize.to().workers())
                    .put("pauseMillis", resize.pauseMillis())
                    .put("plan", resize.plan())
                    .put("exploring", resize.exploring())
                    .put("reason", resize.reason());
        }
        return json;
    }

    private static ArrayNode tasks(JobView job) {
        ArrayNode json = NODES.arrayNode();
        for (TaskRate task : job.reports().tasks()) {
            put(
                    json.addObject()
                            .put("task", task.task())
                            .put("role", task.role().name().toLowerCase(Locale.ROOT))
                            .put("node", task.node()),
                    "stepsPerSecond",
                    task.stepsPerSecond());
        }
        return json;
    }

    private static void put(ObjectNode json, String key, OptionalDouble value) {
        put(json, key, value.orElse(Double.NaN));
    }

    private static void put(ObjectNode json, String key, double value) {
        if (Double.isFinite(value)) {
            json.put(key, value);
        } else {
            json.putNull(key);
        }
    }
}
