package io.optimus.model;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.JobSnapshot.Belief;
import io.optimus.model.job.JobSnapshot.Identity;
import io.optimus.model.job.JobSnapshot.State;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Jobs for tests: fluent, each change gives a new one. */
public record Jobs(JobSnapshot snapshot) {
    /** Two cores and no GPU. */
    public static final Resources SERVER = Resources.of(2048, 2, 0);
    /** One GPU. */
    public static final Resources WORKER = Resources.of(2048, 1, 1);

    /** Fitted to ResNet-50 with a global batch of 32. */
    public static SpeedFunction resnetSpeed() {
        return new SynchronousSpeed(32, .0039 * 10, .4178, .4213, .0074, 0);
    }

    /** 1 to 16 tasks a role, known speed, 1,000 steps to go, preemptible, nothing held. */
    public static Jobs resnet(String id) {
        return new Jobs(new JobSnapshot(
                new Identity(id, 0, SchedulingTerms.DEFAULT),
                new JobDemand(new RoleDemand(SERVER, 1, 16), new RoleDemand(WORKER, 1, 16)),
                new Allocation(1, 1),
                new State(Placement.NONE, Allocation.NONE, true, 1, new JobHistory(100, 0, 0, Allocation.NONE)),
                new Belief(Optional.of(resnetSpeed()), OptionalDouble.of(1000), 1, false, Optional.empty())));
    }

    /** As {@link #resnet}, of 1 to 4 parameter servers and 1 to 8 workers. */
    public static Jobs small(String id) {
        return resnet(id).servers(SERVER, 1, 4).workers(WORKER, 1, 8);
    }

    /**
     * A job of 1 to 64 workers with a GPU each and no parameter servers. It is a thousand seconds old, ran on 64 workers
     * before, holds nothing now, and has 1,000 steps to go. On w workers it makes w^0.85 steps/s.
     */
    public static Jobs allReduce(String id) {
        return resnet(id)
                .withoutServers()
                .workers(WORKER, 1, 64)
                .speed(size -> Math.pow(size.workers(), 0.85))
                .history(new JobHistory(1000, 0, 0, new Allocation(0, 64)));
    }

    /** Snapshots of {@code jobs}. */
    public static List<JobSnapshot> snapshots(Jobs... jobs) {
        return List.of(jobs).stream().map(Jobs::snapshot).toList();
    }

    /** Default terms with another priority. */
    static SchedulingTerms terms(int priority) {
        SchedulingTerms terms = SchedulingTerms.DEFAULT;
        return new SchedulingTerms(priority, terms.preemptible(), terms.minRunSeconds(), terms.gpuTypes());
    }

    public Jobs submitted(long millis) {
        return with(draft -> draft.submitMillis = millis);
    }

    public Jobs priority(int priority) {
        return with(draft -> draft.priority = priority);
    }

    public Jobs servers(Resources task, int min, int max) {
        return with(draft -> draft.servers = new RoleDemand(task, min, max));
    }

    public Jobs workers(Resources task, int min, int max) {
        return with(draft -> draft.workers = new RoleDemand(task, min, max));
    }

    /** All-reduce. */
    public Jobs withoutServers() {
        return with(draft -> draft.servers = RoleDemand.NONE);
    }

    /** The size that the owner asked for. */
    public Jobs requested(int servers, int workers) {
        return with(draft -> draft.requested = new Allocation(servers, workers));
    }

    public Jobs resizeCost(double seconds) {
        return with(draft -> draft.resizeCostSeconds = seconds);
    }

    public Jobs history(JobHistory history) {
        return with(draft -> draft.history = history);
    }

    /** Holds tasks on these nodes and trains on them. */
    public Jobs on(Placement current) {
        return with(draft -> {
            draft.current = current;
            draft.trainsOn = current.allocation();
        });
    }

    /** Trains on these tasks, which may differ from those that it holds while a resize is under way. */
    public Jobs trainsOn(int servers, int workers) {
        return with(draft -> draft.trainsOn = new Allocation(servers, workers));
    }

    public Jobs speed(SpeedFunction speed) {
        return with(draft -> draft.speed = Optional.of(speed));
    }

    /** Removes its speed and its end. */
    public Jobs unknown() {
        return with(draft -> {
            draft.speed = Optional.empty();
            draft.remaining = OptionalDouble.empty();
        });
    }

    public Jobs exploring(int servers, int workers) {
        return unknown().alsoExploring(servers, workers);
    }

    /** Keeps its speed. */
    public Jobs alsoExploring(int servers, int workers) {
        return exploration(Optional.of(new Allocation(servers, workers)));
    }

    /** Sets the size to explore next. */
    public Jobs exploration(Optional<Allocation> size) {
        return with(draft -> draft.exploration = size);
    }

    public Jobs remaining(double steps) {
        return remaining(OptionalDouble.of(steps));
    }

    public Jobs remaining(OptionalDouble steps) {
        return with(draft -> draft.remaining = steps);
    }

    /** Sets the confidence in its predicted end. */
    public Jobs trusted(double trust) {
        return with(draft -> draft.remainingTrust = trust);
    }

    public Jobs young() {
        return with(draft -> draft.young = true);
    }

    public Jobs mayNotShrink() {
        return with(draft -> draft.mayShrink = false);
    }

    private Jobs with(Consumer<Draft> change) {
        Draft draft = new Draft(snapshot);
        change.accept(draft);
        return new Jobs(draft.snapshot(snapshot));
    }

    /** The parts of a snapshot that tests change. */
    private static final class Draft {
        private long submitMillis;
        private int priority;
        private RoleDemand servers;
        private RoleDemand workers;
        private Allocation requested;
        private Placement current;
        private Allocation trainsOn;
        private Optional<SpeedFunction> speed;
        private OptionalDouble remaining;
        private boolean young;
        private Optional<Allocation> exploration;
        private boolean mayShrink;
        private double remainingTrust;
        private double resizeCostSeconds;
        private JobHistory history;

        Draft(JobSnapshot of) {
            submitMillis = of.submitMillis();
            priority = of.priority();
            servers = of.demand().parameterServers();
            workers = of.demand().workers();
            requested = of.requested();
            current = of.current();
            trainsOn = of.trainsOn();
            speed = of.speed();
            remaining = of.remainingSteps();
            young = of.belief().young();
            exploration = of.belief().exploration();
            mayShrink = of.mayShrink();
            remainingTrust = of.belief().remainingTrust();
            resizeCostSeconds = of.state().resizeCostSeconds();
            history = of.history();
        }

        JobSnapshot snapshot(JobSnapshot of) {
            return new JobSnapshot(
                    new Identity(of.id(), submitMillis, terms(priority)),
                    new JobDemand(servers, workers),
                    requested,
                    new State(current, trainsOn, mayShrink, resizeCostSeconds, history),
                    new Belief(speed, remaining, remainingTrust, young, exploration));
        }
    }
}
