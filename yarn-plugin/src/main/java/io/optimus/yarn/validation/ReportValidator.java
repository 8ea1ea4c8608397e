package io.optimus.yarn.validation;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.GradientNoiseProto;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StepTimeProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Checks the values of reports. Invalid values are dropped and counted, so that REST shows which job reports them; they harm
 * no other job.
 */
public final class ReportValidator {
    /** The most values of one kind that are read from a report. Most reports carry a few, histories some hundred. */
    private static final int MOST_VALUES = 4096;

    /** Characters of our own names of tasks. */
    private static final Pattern TASK = Pattern.compile("[A-Za-z0-9._:%\\[\\]-]{1,100}");
    /** YARN's id of a node, host:port, or a host. */
    private static final Pattern NODE = Pattern.compile("[A-Za-z0-9._%\\[\\]-]{1,255}(:[0-9]{1,5})?");

    private final int largestWorkers;
    private final int largestServers;
    private long refused;

    /** Checks reports of a job with these largest numbers of tasks. */
    public ReportValidator(Allocation largest) {
        this.largestWorkers = largest.workers();
        this.largestServers = largest.parameterServers();
    }

    /** A loss, which may be NaN, and whether the curve bends there. */
    public record ReportedLoss(LossPoint point, boolean bend) {}

    public long refused() {
        return refused;
    }

    /**
     * Returns points later than {@code lastStep}, in rising order of steps; steps may restart at a bend of the curve.
     * Invalid losses are counted and kept as NaN: they show that training has diverged.
     */
    public List<ReportedLoss> losses(List<LossPointProto> reported, long lastStep) {
        long[] last = {lastStep};
        return admitted(reported, point -> {
            boolean inOrder = point.getBend() || point.getStep() > last[0];
            if (!inOrder || !ReportRanges.step(point.getStep())) {
                return Optional.empty();
            }
            last[0] = point.getStep();
            return Optional.of(
                    new ReportedLoss(new LossPoint(point.getStep(), loss(point.getLoss())), point.getBend()));
        });
    }

    private double loss(double reported) {
        return counted(ReportRanges.loss(reported) ? Optional.of(reported) : Optional.empty())
                .orElse(Double.NaN);
    }

    /**
     * A measured speed.
     *
     * @param sample the sample, with the number of nodes if the job reported it
     * @param workerNode a node that a worker was on; empty if the job did not report it
     */
    public record ReportedSpeed(SpeedSample sample, Optional<String> workerNode) {}

    public List<ReportedSpeed> speeds(List<SpeedSampleProto> reported) {
        return admitted(reported, sample -> allocation(sample.getAllocation())
                .filter(size -> size.workers() > 0 && (size.parameterServers() > 0 || largestServers == 0))
                .filter(size -> ReportRanges.stepsPerSecond(sample.getStepsPerSecond()))
                .filter(size -> ReportRanges.seconds(sample.getSeconds()))
                .filter(size -> !sample.hasNodes() || isPlace(sample, size))
                .map(size -> speed(sample, size)));
    }

    private static boolean isPlace(SpeedSampleProto sample, Allocation size) {
        return sample.getNodes() >= 1 && sample.getNodes() <= size.tasks() && isNode(sample.getWorkerNode());
    }

    private static ReportedSpeed speed(SpeedSampleProto sample, Allocation size) {
        return new ReportedSpeed(
                new SpeedSample(
                        size,
                        sample.hasNodes() ? sample.getNodes() : 1,
                        sample.getStepsPerSecond(),
                        sample.getSeconds()),
                sample.hasNodes() ? Optional.of(sample.getWorkerNode()) : Optional.empty());
    }

    /**
     * Measured step times.
     *
     * @param observation the times, on the GPUs that the job had
     * @param workerNode a node that a worker was on; empty if the job did not report it
     */
    public record ReportedSteps(ThroughputObservation observation, Optional<String> workerNode) {}

    /** The step times; a job with a fixed batch has none. */
    public List<ReportedSteps> stepTimes(List<StepTimeProto> reported, Optional<BatchLimits> batches) {
        return admitted(reported, times -> Optional.of(new ThroughputObservation(
                        times.getNodes(),
                        times.getWorkers(),
                        times.getAtomicBatch(),
                        times.getAccumulatedStepSeconds(),
                        times.getStepSeconds()))
                .filter(ThroughputObservation::isPlausible)
                .filter(seen -> seen.replicas() <= largestWorkers)
                .filter(seen -> batches.isPresent()
                        && seen.atomicBatch() <= batches.get().maxBatch())
                .filter(seen -> !times.hasWorkerNode() || isNode(times.getWorkerNode()))
                .map(seen -> new ReportedSteps(
                        seen, times.hasWorkerNode() ? Optional.of(times.getWorkerNode()) : Optional.empty())));
    }

    public Optional<GradientNoise> noise(GradientNoiseProto noise) {
        return counted(
                ReportRanges.square(noise.getSquaredNorm()) && ReportRanges.square(noise.getVariance())
                        ? Optional.of(new GradientNoise(noise.getSquaredNorm(), noise.getVariance()))
                        : Optional.empty());
    }

    public Optional<Long> batch(long samples, Optional<BatchLimits> batches) {
        return counted(
                samples >= 1 && batches.isPresent() && samples <= batches.get().maxBatch()
                        ? Optional.of(samples)
                        : Optional.empty());
    }

    public List<TaskRate> tasks(List<TaskRateProto> reported) {
        int most = largestWorkers + largestServers;
        List<TaskRate> rates = admitted(reported, this::task);
        refused += Math.max(0, rates.size() - most);
        return rates.subList(0, Math.min(rates.size(), most));
    }

    /** Whether a resize can have paused training for so long. */
    @FunctionalInterface
    public interface Pauses {
        boolean canBe(long pauseMillis, long plan);
    }

    /** Returns resizes without the reasons of their plans, which jobs do not report. */
    public List<ReportedResize> resizes(List<ResizeProto> reported, Pauses pauses) {
        return admitted(reported, resize -> allocation(resize.getFrom())
                .filter(from -> ReportRanges.pauseMillis(resize.getPauseMillis()) && resize.getPlan() >= 0)
                .filter(from -> pauses.canBe(resize.getPauseMillis(), resize.getPlan()))
                .flatMap(from -> allocation(resize.getTo())
                        .map(to ->
                                new ReportedResize(from, to, resize.getPauseMillis(), resize.getPlan(), false, ""))));
    }

    /** The members by node, each node once, and no more in all than the job may have. */
    public Placement placement(List<NodeAllocationProto> reported) {
        TreeMap<String, Allocation> byNode = new TreeMap<>();
        Allocation sum = Allocation.NONE;
        for (NodeAllocationProto node : firstOf(reported)) {
            Optional<Allocation> tasks = allocation(node.getAllocation());
            Allocation next = sum.plus(tasks.orElse(Allocation.NONE));
            if (tasks.isEmpty()
                    || !isNode(node.getNode())
                    || byNode.containsKey(node.getNode())
                    || !next.isWithin(new Allocation(largestServers, largestWorkers))) {
                refused++;
            } else {
                byNode.put(node.getNode(), tasks.get());
                sum = next;
            }
        }
        return Placement.of(byNode);
    }

    public Optional<Long> step(long step) {
        return counted(ReportRanges.step(step) ? Optional.of(step) : Optional.empty());
    }

    public Optional<Long> stepsPerEpoch(long steps) {
        return counted(ReportRanges.stepsPerEpoch((double) steps) ? Optional.of(steps) : Optional.empty());
    }

    public Optional<Double> epoch(double epoch) {
        return counted(ReportRanges.epoch(epoch) ? Optional.of(epoch) : Optional.empty());
    }

    private Optional<TaskRate> task(TaskRateProto rate) {
        boolean wellFormed = TASK.matcher(rate.getTask()).matches()
                && isNode(rate.getNode())
                && ReportRanges.rate(rate.getStepsPerSecond());
        return wellFormed
                ? Optional.of(
                        new TaskRate(rate.getTask(), role(rate.getRole()), rate.getNode(), rate.getStepsPerSecond()))
                : Optional.empty();
    }

    /** Whether {@code text} can be the id of a node; such names reach logs and pages. */
    private static boolean isNode(String text) {
        return NODE.matcher(text).matches();
    }

    static Role role(RoleProto role) {
        return switch (role) {
            case WORKER -> Role.WORKER;
            case PARAMETER_SERVER -> Role.PARAMETER_SERVER;
        };
    }

    private Optional<Allocation> allocation(AllocationProto proto) {
        int servers = proto.getParameterServers();
        int workers = proto.getWorkers();
        boolean within = servers >= 0 && workers >= 0 && servers <= largestServers && workers <= largestWorkers;
        return within ? Optional.of(new Allocation(servers, workers)) : Optional.empty();
    }

    private <P, V> List<V> admitted(List<P> reported, Function<P, Optional<V>> check) {
        List<V> admitted = new ArrayList<>();
        for (P value : firstOf(reported)) {
            counted(check.apply(value)).ifPresent(admitted::add);
        }
        return admitted;
    }

    private <V> Optional<V> counted(Optional<V> value) {
        if (value.isEmpty()) {
            refused++;
        }
        return value;
    }

    private <P> List<P> firstOf(List<P> reported) {
        refused += Math.max(0, reported.size() - MOST_VALUES);
        return reported.subList(0, Math.min(reported.size(), MOST_VALUES));
    }
}
