package io.optimus.sim.trace.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.throughput.AllReduceThroughput;
import io.optimus.sim.knowledge.Knowledge;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * What a job reports of itself: fitted step seconds and the noise of its gradients, from its first step on (Pollux, section
 * 3.2), and where it {@linkplain End ends}.
 */
final class LearntGoodput implements Knowledge {
    private final Profile profile;
    private final OptionalInt batch;
    private final int workersPerNode;
    private final SelfObservation self;
    private final End end;
    private Optional<SpeedFunction> speed = Optional.empty();
    private OptionalDouble remainingSteps;

    LearntGoodput(Profile profile, OptionalInt batch, int workersPerNode, SelfObservation self, End end) {
        this.profile = profile;
        this.batch = batch;
        this.workersPerNode = workersPerNode;
        this.self = self;
        this.end = end;
        this.remainingSteps = end.remainingSteps();
    }

    @Override
    public void observe(double nowSeconds) {
        speed = batch.isPresent()
                ? self.throughput().map(this::withFixedBatch)
                : self.goodput().map(found -> found);
        remainingSteps = end.remainingSteps();
    }

    private SpeedFunction withFixedBatch(AllReduceThroughput throughput) {
        return new FixedBatchSpeed(profile, batch.orElseThrow(), workersPerNode, throughput::updateSeconds);
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return speed;
    }

    @Override
    public OptionalDouble remainingSteps() {
        return remainingSteps;
    }

    @Override
    public double remainingTrust() {
        return end.remainingTrust();
    }

    @Override
    public boolean young() {
        return speed.isEmpty();
    }

    @Override
    public Optional<Allocation> exploration(Predicate<Allocation> fits) {
        return Optional.empty();
    }
}
