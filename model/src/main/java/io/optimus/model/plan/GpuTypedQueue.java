package io.optimus.model.plan;

import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.GpuTypeChoice.Chosen;
import io.optimus.model.speed.SpeedFunction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A queue in which every job that needs GPUs is bound to one type. Policies and placers get this queue. If no node names its
 * type of GPU and no job asks for one, it is the original queue.
 */
final class GpuTypedQueue {
    private final QueueSnapshot original;
    private final GpuTypes types;
    private final Map<String, Chosen> chosen;
    private final QueueSnapshot typed;

    private GpuTypedQueue(QueueSnapshot original, GpuTypes types, Map<String, Chosen> chosen) {
        this.original = original;
        this.types = types;
        this.chosen = chosen;
        this.typed = chosen.isEmpty() ? original : typed(original, types, chosen);
    }

    /**
     * Binds the jobs of {@code queue}.
     *
     * @param resizes whether its policy gives jobs sizes other than those that their owners asked for
     */
    static GpuTypedQueue of(QueueSnapshot queue, GpuTypes types, boolean resizes) {
        boolean mattersToNodes = queue.cluster().nodes().stream()
                .anyMatch(node -> !node.gpuType().isEmpty());
        boolean mattersToJobs =
                queue.jobs().stream().anyMatch(job -> !job.gpuTypes().isEmpty());
        if (!mattersToNodes && !mattersToJobs) {
            return new GpuTypedQueue(queue, types, Map.of());
        }
        return new GpuTypedQueue(queue, types, GpuTypeChoice.of(resizes ? queue : asRequested(queue), types));
    }

    private static QueueSnapshot asRequested(QueueSnapshot queue) {
        List<QueuedJob> jobs = queue.jobs().stream()
                .map(job -> job.with(job.job()
                        .demanding(
                                new JobDemand(
                                        requested(job.job(), Role.PARAMETER_SERVER), requested(job.job(), Role.WORKER)),
                                job.job().speed())))
                .toList();
        return queue.with(jobs);
    }

    private static RoleDemand requested(JobSnapshot job, Role role) {
        int count = job.requested().count(role);
        return new RoleDemand(job.demand().of(role).task(), count, count);
    }

    private static QueueSnapshot typed(QueueSnapshot queue, GpuTypes types, Map<String, Chosen> chosen) {
        Resources ofTypes = GpuTypes.ofTypes(queue.cluster());
        SortedMap<String, Resources> limits = new TreeMap<>();
        queue.userLimits().forEach((user, limit) -> limits.put(user, limit.plus(ofTypes)));
        List<QueuedJob> jobs = queue.jobs().stream()
                .map(job -> Optional.ofNullable(chosen.get(job.id()))
                        .map(type -> job.with(types.typed(job.job(), type.type())))
                        .orElse(job))
                .toList();
        return new QueueSnapshot(
                queue.queue(),
                GpuTypes.typed(queue.cluster()),
                limits,
                queue.jobsPerUser(),
                queue.keepsRunning(),
                jobs);
    }

    /** The queue in which jobs are allocated and placed. */
    QueueSnapshot queue() {
        return typed;
    }

    private Optional<Chosen> chosen(String job) {
        return Optional.ofNullable(chosen.get(job));
    }

    /** Whether the job leaves the type that it is on. */
    boolean changes(String job) {
        return chosen(job).flatMap(Chosen::from).isPresent();
    }

    /** Returns the proposal with the reason for the job's type added. */
    Proposal explained(String job, Proposal proposal) {
        return chosen(job).map(type -> proposal.because(type.reason())).orElse(proposal);
    }

    /** Ids of the jobs whose change of type is not worth its cost under {@code plan}. */
    Set<String> changingInVain(Map<String, Proposal> plan) {
        Set<String> vain = new HashSet<>();
        for (QueuedJob job : original.jobs()) {
            Placement planned = Optional.ofNullable(plan.get(job.id()))
                    .map(Proposal::planned)
                    .orElse(Placement.NONE);
            chosen(job.id())
                    .filter(type -> type.from().isPresent()
                            && !change(job, type, planned).repays())
                    .ifPresent(type -> vain.add(job.id()));
        }
        return vain;
    }

    private GpuTypeChange change(QueuedJob job, Chosen type, Placement to) {
        return new GpuTypeChange(
                job.job(),
                stepsPerSecond(job.job(), type.from().orElseThrow(), job.old()),
                stepsPerSecond(job.job(), type.type(), to));
    }

    private double stepsPerSecond(JobSnapshot job, String type, Placement on) {
        SpeedFunction speed = job.speed().orElseThrow().times(types.speed(type));
        return on.byNode().isEmpty()
                ? 0
                : speed.stepsPerSecond(on.allocation(), on.byNode().size());
    }

    /** The same queue, except that these jobs stay on their type. */
    GpuTypedQueue without(Set<String> changes) {
        Map<String, Chosen> fewer = new HashMap<>(chosen);
        fewer.replaceAll((job, type) ->
                changes.contains(job) ? Chosen.settled(type.from().orElse(type.type())) : type);
        return new GpuTypedQueue(original, types, fewer);
    }
}
