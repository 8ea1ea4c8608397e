package io.optimus.sim.recording;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.belief.AllReduceSpeed;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Pauses;
import io.optimus.sim.engine.SimulatedJob.Submission;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.recording.RecordedJob.Known;
import io.optimus.sim.trace.SteppingScript;
import io.optimus.sim.truth.MeasuredSurface;
import io.optimus.sim.truth.RecordedLosses;
import io.optimus.sim.truth.SteppingTraining;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Makes jobs that can be simulated from what was recorded of them. The work of a job is the steps that it did while it was
 * recorded, also where it did not end then. Its speed is the measured one where it ran, and fitted elsewhere.
 *
 * @param firstMillis when the recording begins
 */
record RecordedJobs(long firstMillis) {
    private static final double MILLIS = 1000;
    private static final int MOST_EPOCHS = 1_000_000_000;
    private static final int MOST_TASKS = 1_000_000;
    private static final long MOST_SECONDS = 1L << 40;

    /** Measured speeds of a recording are means, whose weights are not recorded. */
    private static final double ANY_SECONDS = 60;

    /** Returns the job; empty if it never stepped, so that its speed is not known. */
    Optional<RecordedJob> job(JobTrail trail) {
        double steps = (double) (trail.step() - trail.firstStep());
        JobDemand demand = demand(trail.fields());
        SpeedForm form = SpeedForm.of(mode(trail.fields()), batch(trail.fields()));
        MeasuredSizes measured = measured(trail, demand);
        if (!(steps > 0) || measured.isEmpty()) {
            return Optional.empty();
        }
        return MeasuredSurface.of(demand, form, measured).map(truth -> {
            Known known = new Known(beganBefore(trail), trail.outcome());
            double arrival = seconds(trail.firstMillis() - firstMillis);
            SimulatedJob job = new SimulatedJob(
                    trail.id(),
                    "recorded",
                    submission(trail.fields(), arrival),
                    demand,
                    demand.maximum(),
                    pauses(trail, truth, demand),
                    new SteppingScript(
                            truth,
                            seed -> new SteppingTraining(truth, steps, Optional.of(new RecordedLosses(losses(trail)))),
                            demand,
                            declaration(trail, form)));
            return new RecordedJob(
                    trail.fields().path("name").asText(trail.id()),
                    job,
                    known,
                    seconds(trail.plannedMillis().orElse(trail.endMillis()) - trail.firstMillis()),
                    seconds(trail.endMillis() - trail.firstMillis()));
        });
    }

    private static double seconds(long millis) {
        return Math.max(0, millis) / MILLIS;
    }

    /** Whether the job had done steps, or held tasks, when the recording first saw it. */
    private static boolean beganBefore(JobTrail trail) {
        return trail.firstStep() > 0;
    }

    private static JobDemand demand(JsonNode fields) {
        return new JobDemand(role(fields, "parameterServers"), role(fields, "workers"));
    }

    private static RoleDemand role(JsonNode fields, String name) {
        if (!fields.has(name)) {
            return RoleDemand.NONE;
        }
        JsonNode role = fields.path(name);
        return new RoleDemand(
                RecordedLine.resources(role, "task"), (int) RecordedLine.whole(role, "min", 0, MOST_TASKS), (int)
                        RecordedLine.whole(role, "max", 0, MOST_TASKS));
    }

    private static TrainingMode mode(JsonNode fields) {
        String word = RecordedLine.text(fields, "mode");
        for (TrainingMode mode : TrainingMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(word)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("\"mode\" is neither synchronous nor asynchronous, but " + word);
    }

    private static double batch(JsonNode fields) {
        return RecordedLine.positive("globalBatch", fields.path("globalBatch"));
    }

    private static MeasuredSizes measured(JobTrail trail, JobDemand demand) {
        SpeedSamples samples = new SpeedSamples(Math.max(1, trail.speeds().size()));
        trail.speeds()
                .forEach((size, speed) -> samples.add(new SpeedSample(
                        AllReduceSpeed.sizeForFit(demand, size.size()), size.nodes(), speed, ANY_SECONDS)));
        return samples.sizes();
    }

    private static Submission submission(JsonNode fields, double arrivalSeconds) {
        SortedSet<String> gpuTypes = new TreeSet<>();
        fields.path("gpuTypes").forEach(type -> gpuTypes.add(type.asText()));
        return new Submission(
                arrivalSeconds,
                RecordedLine.text(fields, "queue"),
                RecordedLine.text(fields, "user"),
                new SchedulingTerms(
                        (int) RecordedLine.whole(fields, "priority", Integer.MIN_VALUE, Integer.MAX_VALUE),
                        fields.path("preemptible").asBoolean(true),
                        RecordedLine.whole(fields, "minRunSeconds", 0, MOST_SECONDS),
                        gpuTypes));
    }

    /** The pause at the start lasts until the time at which the job must have begun to step, by its speed. */
    private static Pauses pauses(JobTrail trail, SpeedFunction truth, JobDemand demand) {
        double resize = trail.pauseMillis().stream()
                .mapToDouble(millis -> millis / MILLIS)
                .average()
                .orElse(Double.NaN);
        OptionalDouble start = OptionalDouble.empty();
        Allocation members = RecordedLine.size("members", trail.membersThen(), 0);
        boolean known = trail.plannedMillis().isPresent()
                && trail.steppedMillis().isPresent()
                && !beganBefore(trail)
                && demand.minimum().isWithin(members);
        if (known) {
            double stepped = seconds(
                    trail.steppedMillis().getAsLong() - trail.plannedMillis().getAsLong());
            int nodes = Math.max(1, RecordedLine.count("members", trail.membersThen(), 2));
            start = OptionalDouble.of(
                    Math.max(0, stepped - (double) trail.stepsThen() / truth.stepsPerSecond(members, nodes)));
        }
        return new Pauses(start, Double.isNaN(resize) ? OptionalDouble.empty() : OptionalDouble.of(resize));
    }

    private static List<LossPoint> losses(JobTrail trail) {
        List<LossPoint> points = new ArrayList<>();
        for (Map.Entry<Long, Double> loss :
                trail.losses().tailMap(trail.firstStep(), true).entrySet()) {
            points.add(new LossPoint(loss.getKey() - trail.firstStep(), loss.getValue()));
        }
        return points;
    }

    private static Declaration declaration(JobTrail trail, SpeedForm form) {
        JsonNode fields = trail.fields();
        double stepsPerEpoch = RecordedLine.positive("stepsPerEpoch", fields.path("stepsPerEpoch"));
        List<StopRule> rules = new ArrayList<>();
        fields.path("stop").forEach(rule -> rules.add(rule(rule, (double) trail.firstStep() / stepsPerEpoch)));
        Optional<StopRule> stop = rules.isEmpty()
                ? Optional.empty()
                : Optional.of(rules.size() == 1 ? rules.get(0) : new StopRule.FirstOf(rules));
        return new Declaration(form, stop, stepsPerEpoch);
    }

    /** A rule as it holds for a job that counts its epochs from the first recorded step on. */
    private static StopRule rule(JsonNode rule, double epochsBefore) {
        if (rule.has("maxEpochs")) {
            double left = RecordedLine.positive("maxEpochs", rule.path("maxEpochs")) - epochsBefore;
            return new StopRule.MaxEpochs((int) Math.min(MOST_EPOCHS, Math.max(1, Math.ceil(left))));
        }
        if (rule.has("targetLoss")) {
            return new StopRule.TargetLoss(RecordedLine.number("targetLoss", rule.path("targetLoss")));
        }
        return new StopRule.LossPlateau(RecordedLine.positive("relativeDecrease", rule.path("relativeDecrease")), (int)
                RecordedLine.whole(rule, "epochs", 1, MOST_EPOCHS));
    }
}
