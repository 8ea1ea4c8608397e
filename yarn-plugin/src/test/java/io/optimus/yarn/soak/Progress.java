package io.optimus.yarn.soak;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ContainerId;

/** The steps that a scripted job has made, and what it measures on the way. Outlives its master. */
final class Progress {
    private static final double SPEED_NOISE = 0.03;
    private static final double LOSS_NOISE = 0.01;
    private static final long RESIZE_MILLIS = 300;
    private static final double MILLIS = 1000;
    private static final int RESIZES_KEPT = 20;

    private final Script.Training script;
    private final Random random;
    private final Map<ContainerId, Long> upAtMillis = new HashMap<>();
    private final Map<Allocation, SpeedSampleProto> speeds = new TreeMap<>();
    private final List<ResizeProto> resizes = new ArrayList<>();
    private Placement members = Placement.NONE;
    private double steps;
    private long membership;
    private long lastMillis;
    private long pausedUntilMillis;
    private double windowSeconds;
    private double windowSteps;

    Progress(Script.Training script, Random random) {
        this.script = script;
        this.random = random;
    }

    boolean isDone() {
        return steps >= script.steps();
    }

    double fraction() {
        return steps / script.steps();
    }

    long wholeSteps() {
        return Math.min(script.steps(), (long) steps);
    }

    double epochs() {
        return steps / script.stepsPerEpoch();
    }

    long membership() {
        return membership;
    }

    /** The tasks that train. */
    Placement members() {
        return members;
    }

    /** A container was started, and its task is up at {@code readyMillis}. */
    void starts(ContainerId container, long readyMillis) {
        upAtMillis.put(container, readyMillis);
    }

    /** Whether the task of a container is up; true for one of an earlier master. */
    boolean isUp(ContainerId container, long nowMillis) {
        return upAtMillis.getOrDefault(container, 0L) <= nowMillis;
    }

    /** Trains until now, and from then on with {@code ready}. */
    void advance(Placement ready, long plan, long nowMillis) {
        long from = Math.max(lastMillis, pausedUntilMillis);
        if (from < nowMillis && script.min().isWithin(members.allocation())) {
            double seconds = (nowMillis - from) / MILLIS;
            double made = seconds * script.truth().stepsPerSecond(members.allocation());
            steps += made;
            windowSeconds += seconds;
            windowSteps += made;
        }
        lastMillis = nowMillis;
        if (!ready.equals(members)) {
            resize(ready, plan, nowMillis);
        }
    }

    private void resize(Placement ready, long plan, long nowMillis) {
        if (!members.equals(Placement.NONE)
                && !ready.equals(Placement.NONE)
                && !members.allocation().equals(ready.allocation())) {
            resizes.add(ResizeProto.newBuilder()
                    .setFrom(TrainingMessages.allocation(members.allocation()))
                    .setTo(TrainingMessages.allocation(ready.allocation()))
                    .setPauseMillis(RESIZE_MILLIS)
                    .setPlan(plan)
                    .build());
            if (resizes.size() > RESIZES_KEPT) {
                resizes.remove(0);
            }
        }
        members = ready;
        membership++;
        pausedUntilMillis = nowMillis + RESIZE_MILLIS;
        windowSeconds = 0;
        windowSteps = 0;
    }

    /** All tasks are gone, or without a master. */
    void stops() {
        members = Placement.NONE;
        membership++;
        windowSeconds = 0;
        windowSteps = 0;
    }

    /** The speed since the last sample; empty if that is too short. */
    Optional<SpeedSampleProto> takeSpeed() {
        if (windowSeconds < 1 || windowSteps == 0) {
            return Optional.empty();
        }
        double measured = windowSteps / windowSeconds * (1 + SPEED_NOISE * random.nextGaussian());
        SpeedSampleProto sample = SpeedSampleProto.newBuilder()
                .setAllocation(TrainingMessages.allocation(members.allocation()))
                .setStepsPerSecond(Math.max(1e-3, measured))
                .setSeconds(windowSeconds)
                .setNodes(members.byNode().size())
                .setWorkerNode(members.byNode().entrySet().stream()
                        .filter(node -> node.getValue().workers() > 0)
                        .findFirst()
                        .orElseThrow()
                        .getKey())
                .build();
        windowSeconds = 0;
        windowSteps = 0;
        speeds.put(members.allocation(), sample);
        return Optional.of(sample);
    }

    List<SpeedSampleProto> speeds() {
        return List.copyOf(speeds.values());
    }

    List<ResizeProto> takeResizes() {
        List<ResizeProto> taken = List.copyOf(resizes);
        resizes.clear();
        return taken;
    }

    double measuredLoss() {
        return Math.max(1e-6, script.truth().lossAfter(epochs()) * (1 + LOSS_NOISE * random.nextGaussian()));
    }
}
