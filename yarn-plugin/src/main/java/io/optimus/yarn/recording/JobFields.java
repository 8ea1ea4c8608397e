package io.optimus.yarn.recording;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.Role;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.belief.Estimate;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.speed.SpeedFit;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.validation.Registration;
import java.util.Locale;
import java.util.Optional;

/** The fields of one job in a round: what it registered, how far it is, what is believed of it, and what is planned. */
final class JobFields {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Recorded.Round round;

    JobFields(Recorded.Round round) {
        this.round = round;
    }

    /** Returns all fields; {@code usage} is what it holds, if YARN knows it. */
    ObjectNode of(JobView job, Optional<ApplicationUsage> usage) {
        ObjectNode json = NODES.objectNode();
        registration(json, job);
        json.put("state", job.state().word());
        json.put("step", job.progress().step());
        job.progress().loss().ifPresent(loss -> JsonFigures.put(json, "loss", loss));
        json.set("members", JsonFigures.size(job.progress().members()));
        json.set("held", JsonFigures.size(usage.map(ApplicationUsage::live).orElse(Placement.NONE)));
        speeds(json, job);
        Optional.ofNullable(round.estimates().get(job.id())).ifPresent(estimate -> beliefs(json, job, estimate));
        round.plan().of(job.id()).ifPresent(part -> plan(json, part));
        return json;
    }

    private void registration(ObjectNode json, JobView job) {
        Registration registration = job.registration();
        json.put("name", registration.name());
        json.put("user", job.facts().user());
        json.put("queue", job.facts().queue());
        json.put("submittedMillis", job.facts().submitMillis());
        json.put("attempt", job.facts().attempt().getAttemptId());
        for (Role role : Role.values()) {
            if (registration.has(role)) {
                json.set(
                        role == Role.WORKER ? "workers" : "parameterServers",
                        role(registration.demand().of(role)));
            }
        }
        Registration.Training training = registration.training();
        json.put("mode", training.mode().name().toLowerCase(Locale.ROOT));
        json.put("globalBatch", training.globalBatch());
        JsonFigures.put(json, "stepsPerEpoch", training.stepsPerEpoch());
        training.stop().ifPresent(rule -> {
            ArrayNode rules = json.putArray("stop");
            rule.singles().forEach(single -> rules.add(rule(single)));
        });
        if (!training.bends().epochs().isEmpty()) {
            training.bends().epochs().forEach(json.putArray("bends")::add);
        }
        json.put("paced", training.paced());
        json.put("adaptsBatch", training.batches().isPresent());
        terms(json, job);
    }

    private static ObjectNode role(RoleDemand demand) {
        ObjectNode json = NODES.objectNode().put("min", demand.min()).put("max", demand.max());
        json.set("task", JsonFigures.resources(demand.task()));
        return json;
    }

    private static ObjectNode rule(StopRule.Single rule) {
        ObjectNode json = NODES.objectNode();
        return rule.match(
                plateau ->
                        json.put("relativeDecrease", plateau.relativeDecrease()).put("epochs", plateau.epochs()),
                target -> json.put("targetLoss", target.loss()),
                maximum -> json.put("maxEpochs", maximum.epochs()));
    }

    private void terms(ObjectNode json, JobView job) {
        SchedulingTerms terms = round.settings().owners().within(job.facts().queue(), job.scheduling());
        json.put("priority", terms.priority());
        json.put("preemptible", terms.preemptible());
        json.put("minRunSeconds", terms.minRunSeconds());
        terms.gpuTypes().forEach(json.putArray("gpuTypes")::add);
    }

    /** {@code [parameter servers, workers, nodes, steps per second]} of each size that ran, on GPUs of speed 1. */
    private static void speeds(ObjectNode json, JobView job) {
        ArrayNode speeds = json.putArray("speeds");
        job.measured()
                .speeds()
                .sizes()
                .forEach(size -> speeds.add(JsonFigures.size(
                                AllReduceSpeed.sizeOfJob(job.registration().demand(), size.allocation()))
                        .add(size.nodes())
                        .add(JsonFigures.fewDigits(size.stepsPerSecond()))));
    }

    private static void beliefs(ObjectNode json, JobView job, Estimate estimate) {
        if (estimate.speed() instanceof SpeedFit.Fitted fitted) {
            ObjectNode speed = json.putObject("speedFit");
            fitted.speed().fitted().parameters().forEach((name, value) -> few(speed, name, value));
        }
        if (estimate.curve() instanceof CurveFit.Fitted fitted) {
            ObjectNode curve =
                    json.putObject("curveFit").put("family", fitted.curve().family());
            few(curve, "firstStep", fitted.curve().firstStep());
            fitted.curve().parameters().forEach((name, value) -> few(curve, name, value));
        }
        double step = (double) job.progress().step();
        if (estimate.remainingSteps(step) instanceof Predicted predicted) {
            ArrayNode end = json.putArray("endStep");
            for (double steps : new double[] {predicted.steps(), predicted.fewest(), predicted.most()}) {
                if (Double.isFinite(steps)) {
                    end.add(JsonFigures.fewDigits(step + steps));
                } else {
                    end.addNull();
                }
            }
        }
    }

    private static void few(ObjectNode json, String name, double value) {
        if (Double.isFinite(value)) {
            json.put(name, JsonFigures.fewDigits(value));
        }
    }

    private static void plan(ObjectNode json, JobPlan part) {
        json.set("planned", JsonFigures.size(part.planned()));
        json.set("target", JsonFigures.size(part.target()));
        if (!part.awaited().isNone()) {
            json.set("awaited", JsonFigures.size(part.awaited()));
        }
        json.put("exploring", part.exploring());
        part.why().kinds().forEach(kind -> json.withArray("kinds").add(kind.word()));
        json.put("reason", part.reason());
    }
}
