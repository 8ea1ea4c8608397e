package io.optimus.model;

import io.optimus.model.cluster.Resources;
import io.optimus.model.placement.Placement;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.RoleDemand;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Optional;
import java.util.OptionalDouble;

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
                id,
                0,
                0,
                TrainingMode.SYNCHRONOUS,
                new RoleDemand(SERVER, 1, 16),
                new RoleDemand(WORKER, 1, 16),
                Placement.NONE,
                Optional.of(resnetSpeed()),
                OptionalDouble.of(1000),
                false,
                Optional.empty(),
                true,
                1,
                100));
    }

    public Jobs submitted(long millis) {
        return with(
                millis,
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                snapshot.speed(),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs priority(int priority) {
        return with(
                snapshot.submitMillis(),
                priority,
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                snapshot.speed(),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs servers(Resources task, int min, int max) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                new RoleDemand(task, min, max),
                snapshot.workers(),
                snapshot.current(),
                snapshot.speed(),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs workers(Resources task, int min, int max) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                new RoleDemand(task, min, max),
                snapshot.current(),
                snapshot.speed(),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs on(Placement current) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                current,
                snapshot.speed(),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs speed(SpeedFunction speed) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                Optional.of(speed),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs unknown() {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                Optional.empty(),
                OptionalDouble.empty(),
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs exploring(int servers, int workers) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                Optional.empty(),
                OptionalDouble.empty(),
                Optional.of(new Allocation(servers, workers)),
                snapshot.mayShrink());
    }

    /** Keeps its speed. */
    public Jobs alsoExploring(int servers, int workers) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                snapshot.speed(),
                snapshot.remainingSteps(),
                Optional.of(new Allocation(servers, workers)),
                snapshot.mayShrink());
    }

    public Jobs remaining(double steps) {
        return remaining(OptionalDouble.of(steps));
    }

    public Jobs remaining(OptionalDouble steps) {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                snapshot.speed(),
                steps,
                snapshot.exploration(),
                snapshot.mayShrink());
    }

    public Jobs mayNotShrink() {
        return with(
                snapshot.submitMillis(),
                snapshot.priority(),
                snapshot.parameterServers(),
                snapshot.workers(),
                snapshot.current(),
                snapshot.speed(),
                snapshot.remainingSteps(),
                snapshot.exploration(),
                false);
    }

    private Jobs with(
            long submitMillis,
            int priority,
            RoleDemand servers,
            RoleDemand workers,
            Placement current,
            Optional<SpeedFunction> speed,
            OptionalDouble remaining,
            Optional<Allocation> exploration,
            boolean mayShrink) {
        return new Jobs(new JobSnapshot(
                snapshot.id(),
                submitMillis,
                priority,
                snapshot.mode(),
                servers,
                workers,
                current,
                speed,
                remaining,
                snapshot.young(),
                exploration,
                mayShrink,
                snapshot.resizeCostSeconds(),
                snapshot.ageSeconds()));
    }
}
