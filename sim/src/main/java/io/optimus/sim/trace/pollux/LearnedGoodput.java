package io.optimus.sim.trace.pollux;

import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.throughput.AllReduceThroughput;
import io.optimus.sim.knowledge.Knowledge;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Knowledge from a job's reports: its fitted step times and gradient noise from its first step on (Pollux, section
 * 3.2), and its {@linkplain JobEnd end}.
 */
final class LearnedGoodput implements Knowledge, BeliefSource {
    private final Profile profile;
    private final OptionalInt batch;
    private final int workersPerNode;
    private final SelfObservation self;
    private final JobEnd end;
    private Optional<SpeedFunction> speed = Optional.empty();
    private RemainingBelief remaining;

    LearnedGoodput(Profile profile, OptionalInt batch, int workersPerNode, SelfObservation self, JobEnd end) {
        this.profile = profile;
        this.batch = batch;
        this.workersPerNode = workersPerNode;
        this.self = self;
        this.end = end;
        this.remaining = end.remaining();
    }

    @Override
    public boolean observe() {
        speed = batch.isPresent()
                ? self.throughput().map(this::withFixedBatch)
                : self.goodput().map(found -> found);
        remaining = end.remaining();
        return self.takeNewSize();
    }

    private SpeedFunction withFixedBatch(AllReduceThroughput throughput) {
        return new FixedBatchSpeed(profile, batch.orElseThrow(), workersPerNode, throughput::updateSeconds);
    }

    @Override
    public BeliefSource belief() {
        return this;
    }

    @Override
    public Optional<SpeedFunction> speed() {
        return speed;
    }

    @Override
    public RemainingBelief remaining() {
        return remaining;
    }

    @Override
    public boolean young() {
        return speed.isEmpty();
    }
}
