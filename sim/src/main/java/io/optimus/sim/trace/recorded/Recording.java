package io.optimus.sim.trace.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.model.Allocation;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SpeedSamples;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.trace.SteppingScript;
import io.optimus.sim.truth.MeasuredSurface;
import io.optimus.sim.truth.RecordedLosses;
import io.optimus.sim.truth.SteppingTraining;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A job as its journals record it. Its true speed is the measured one; its steps and losses are the recorded ones. Its
 * size may be from 1 ps + 1 worker to the most tasks of each role that it had. A journal does not record the resources
 * of a task: here a worker takes one GPU.
 */
final class Recording {
    private static final Allocation SMALLEST = new Allocation(1, 1);
    private static final double MILLIS = 1000;

    private final SpeedSamples speeds = new SpeedSamples();
    private final List<LossPoint> losses = new ArrayList<>();
    private final List<Double> pauses = new ArrayList<>();
    private final String application;
    private long beganMillis = Long.MAX_VALUE;
    private long steps;
    private double epochs;
    private Allocation largest = SMALLEST;
    private Allocation last = SMALLEST;

    Recording(String application) {
        this.application = application;
    }

    /** Adds an event; throws if it lacks a field of its kind. */
    void take(JournalFile.Event event) {
        JsonNode fields = event.fields();
        beganMillis = Math.min(beganMillis, fields.required("at").asLong());
        switch (event.kind()) {
            case "registering" -> goOnFrom(fields.required("step").asLong());
            case "stepped-back" -> goOnFrom(fields.required("to").asLong());
            case "loss" -> takeLoss(fields);
            case "speed" -> speeds.add(new SpeedSample(
                    allocation(fields, "ps", "workers"),
                    fields.path("nodes").asInt(1),
                    fields.required("stepsPerSecond").asDouble(),
                    fields.required("seconds").asDouble()));
            case "resize" -> takeResize(fields);
            case "finished" -> {
                steps = fields.required("steps").asLong();
                epochs = fields.required("epochs").asDouble();
            }
            default -> {
                // Other events do not matter for the simulation.
            }
        }
    }

    /** Drops the losses from {@code step} on: the job went on from a checkpoint and reports them again. */
    private void goOnFrom(long step) {
        losses.removeIf(point -> point.step() >= step);
    }

    private void takeLoss(JsonNode event) {
        long step = event.required("step").asLong();
        losses.add(new LossPoint(step, event.required("loss").asDouble()));
        steps = Math.max(steps, step + 1);
    }

    private void takeResize(JsonNode event) {
        last = allocation(event, "toPs", "toWorkers");
        largest = largest.max(last);
        if (!allocation(event, "fromPs", "fromWorkers").isNone()) {
            pauses.add(event.required("pauseMillis").asDouble() / MILLIS);
        }
    }

    private static Allocation allocation(JsonNode event, String servers, String workers) {
        return new Allocation(
                event.required(servers).asInt(), event.required(workers).asInt());
    }

    boolean stepped() {
        return steps > 0 && !speeds.sizes().isEmpty();
    }

    long beganMillis() {
        return beganMillis;
    }

    /** Returns the job as the simulation runs it; the job must have stepped. */
    SimulatedJob simulated(long firstMillis) {
        JobDemand demand = new JobDemand(
                new RoleDemand(SteppingScript.DEFAULT_SERVER, 1, largest.parameterServers()),
                new RoleDemand(SteppingScript.DEFAULT_WORKER, 1, largest.workers()));
        SpeedForm form = new SpeedForm.Synchronous(1);
        SpeedFunction truth = MeasuredSurface.through(form, new SizeRange(SMALLEST, largest), speeds.sizes())
                .orElseThrow();
        boolean finished = epochs >= 1;
        double stepsPerEpoch = finished ? steps / epochs : steps;
        Optional<StopRule> stop =
                finished ? Optional.of(new StopRule.MaxEpochs((int) Math.ceil(epochs))) : Optional.empty();
        return new SimulatedJob(
                application,
                "recorded",
                (beganMillis - firstMillis) / MILLIS,
                demand,
                last.max(SMALLEST),
                pauses.isEmpty()
                        ? OptionalDouble.empty()
                        : pauses.stream().mapToDouble(Double::doubleValue).average(),
                new SteppingScript(
                        truth,
                        seed -> new SteppingTraining(truth, steps, Optional.of(new RecordedLosses(losses))),
                        demand,
                        new Declaration(form, stop, stepsPerEpoch)));
    }
}
