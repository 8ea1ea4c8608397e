package io.optimus.am.worker;

import io.optimus.am.engine.StepMeasurement;
import io.optimus.am.engine.StepMeasurement.Times;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.Measured;
import io.optimus.model.throughput.GradientNoise;
import java.util.Optional;

/** The means of what a worker measured in its last steps. All workers measure; the first one tells the coordinator. */
final class GroupMeasurements {
    private int steps;
    private Optional<GradientNoise> noise = Optional.empty();
    private int timedSteps;
    private int atomicBatch;
    private double gradientSeconds;
    private double stepSeconds;

    /** Forgets the steps of the membership before. */
    void begin() {
        steps = 0;
        timedSteps = 0;
        gradientSeconds = 0;
        stepSeconds = 0;
    }

    void add(StepMeasurement step) {
        if (step.noise().isEmpty() && step.times().isEmpty()) {
            return;
        }
        steps++;
        noise = step.noise();
        step.times().ifPresent(times -> {
            timedSteps++;
            atomicBatch = times.atomicBatch();
            gradientSeconds += times.gradientSeconds();
            stepSeconds += times.stepSeconds();
        });
    }

    /** Returns what was not returned before; empty if there is none. */
    Optional<Measured> tell(MembershipNumber number) {
        if (steps == 0) {
            return Optional.empty();
        }
        Optional<Times> times = timedSteps == 0
                ? Optional.empty()
                : Optional.of(new Times(atomicBatch, gradientSeconds / timedSteps, stepSeconds / timedSteps));
        Measured measured = new Measured(number, steps, noise, timedSteps, times);
        begin();
        return Optional.of(measured);
    }
}
