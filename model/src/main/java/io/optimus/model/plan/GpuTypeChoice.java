package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.GpuTypeReason;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Chooses the type of GPU that each job of a queue runs on. A job runs on one type at a time, because a synchronous job waits
 * for its slowest worker.
 *
 * <ol>
 *   <li>A job that can use only one type gets it. A job that fits on no type gets the one that holds most of its minimum.
 *   <li>A running job counts with the type that it is on.
 *   <li>A waiting job, the oldest first, gets a type that has room for the minimums of all its jobs, and of these the one on
 *       which an equal share makes it fastest ({@link GpuPool}).
 *   <li>A running job that may shrink, the oldest first, changes its type if that saves it more time than the cost of a resize
 *       and the error of predictions.
 * </ol>
 *
 * <p>Example: 8 GPUs of speed 2.5, 8 of speed 1, and jobs whose speed is proportional to their GPUs. The first three jobs get
 * the fast GPUs, with a speed of 2.5 · 8/3 = 6.7 each. The fourth would have 2.5 · 8/4 = 5 there and gets 8 on the slow ones.
 */
final class GpuTypeChoice {
    private static final Comparator<Offer> BETTER = Comparator.comparing((Offer offer) -> !offer.hasRoom())
            .thenComparingDouble(offer -> -offer.stepsPerSecond());

    /**
     * The type for one job.
     *
     * @param type the type of all its GPUs
     * @param from the type that it leaves; empty if it does not change its type
     * @param reason why it gets this type
     */
    record Chosen(String type, Optional<String> from, GpuTypeReason reason) {
        /** The type that the job is on, or the only one that it can use. */
        static Chosen settled(String type) {
            return new Chosen(type, Optional.empty(), new GpuTypeReason.On(GpuTypes.resource(type)));
        }
    }

    /** A type as it would serve a job: whether the minimums of all its jobs have room, and the job's speed. */
    private record Offer(String type, boolean hasRoom, double stepsPerSecond) {}

    /** A running job that could use several types. */
    private record Running(QueuedJob job, String type) {}

    private final GpuTypes types;
    private final Map<String, String> typeOfNode = new HashMap<>();
    private final SortedMap<String, GpuPool> pools = new TreeMap<>();
    private final Map<String, Chosen> chosen = new HashMap<>();

    private GpuTypeChoice(ClusterSnapshot cluster, GpuTypes types) {
        this.types = types;
        SortedMap<String, List<NodeSnapshot>> nodes = new TreeMap<>();
        for (NodeSnapshot node : cluster.nodes()) {
            if (node.capacity().amount(Resources.GPUS) > 0) {
                typeOfNode.put(node.id(), node.gpuType());
                nodes.computeIfAbsent(node.gpuType(), type -> new ArrayList<>()).add(node);
            }
        }
        nodes.forEach((type, of) -> pools.put(type, new GpuPool(types.speed(type), of, cluster.budget())));
    }

    /** Returns the type for each job of {@code queue} that needs GPUs, by job id. */
    static Map<String, Chosen> of(QueueSnapshot queue, GpuTypes types) {
        GpuTypeChoice choice = new GpuTypeChoice(queue.cluster(), types);
        List<QueuedJob> jobs = queue.jobs().stream()
                .filter(job -> job.job().resources(job.job().minimum()).amount(Resources.GPUS) > 0)
                .sorted(QueuedJob.BY_AGE)
                .toList();
        choice.choose(jobs);
        return choice.chosen;
    }

    private void choose(List<QueuedJob> jobs) {
        List<QueuedJob> waiting = new ArrayList<>();
        List<Running> running = new ArrayList<>();
        for (QueuedJob job : jobs) {
            List<String> usable = usable(job);
            Optional<String> present = present(job.old()).filter(usable::contains);
            if (usable.size() == 1) {
                settle(job, only(job, usable.get(0)));
            } else if (present.isPresent()) {
                settle(job, Chosen.settled(present.get()));
                running.add(new Running(job, present.get()));
            } else {
                waiting.add(job);
            }
        }
        waiting.forEach(job -> settle(job, fastest(job)));
        running.stream().filter(each -> each.job().job().mayShrink()).forEach(this::reconsider);
    }

    private void settle(QueuedJob job, Chosen type) {
        chosen.put(job.id(), type);
        pool(type.type()).ifPresent(pool -> pool.add(job.job()));
    }

    private Optional<GpuPool> pool(String type) {
        return Optional.ofNullable(pools.get(type));
    }

    /**
     * The types that the job accepts and that have room for its minimum, the fastest first. If none has room, the one that
     * holds most of it, where the job is most likely to fit once a failed node is back.
     */
    private List<String> usable(QueuedJob job) {
        List<String> accepted = (job.gpuTypes().isEmpty() ? pools.keySet() : job.gpuTypes())
                .stream()
                        .sorted(Comparator.comparing((String type) -> !pools.containsKey(type))
                                .thenComparing(type -> -types.speed(type)))
                        .toList();
        List<String> hosting = accepted.stream()
                .filter(type -> pool(type).filter(pool -> pool.hosts(job.job())).isPresent())
                .toList();
        if (!hosting.isEmpty()) {
            return hosting;
        }
        // Of equal types the first, which is the fastest.
        return List.of(accepted.stream()
                .max(Comparator.comparingInt(
                        type -> pool(type).map(pool -> pool.holds(job.job())).orElse(0)))
                .orElse(""));
    }

    /** The type that most of the workers are on. */
    private Optional<String> present(Placement placement) {
        SortedMap<String, Integer> workers = new TreeMap<>();
        placement.byNode().forEach((node, tasks) -> Optional.ofNullable(typeOfNode.get(node))
                .ifPresent(type -> workers.merge(type, tasks.workers(), Integer::sum)));
        return workers.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
                .map(Map.Entry::getKey);
    }

    private Chosen only(QueuedJob job, String type) {
        if (pools.containsKey(type)) {
            return Chosen.settled(type);
        }
        return new Chosen(type, Optional.empty(), new GpuTypeReason.NoSuchNode(job.gpuTypes()));
    }

    private Chosen fastest(QueuedJob job) {
        List<Offer> offers =
                usable(job).stream().map(type -> offer(job.job(), type)).toList();
        // Of equal types the first, which is the fastest.
        Offer best = offers.stream()
                .reduce((one, other) -> BETTER.compare(other, one) < 0 ? other : one)
                .orElseThrow();
        boolean fastest = offers.stream().allMatch(offer -> offer.stepsPerSecond() <= best.stepsPerSecond());
        String type = GpuTypes.resource(best.type());
        return new Chosen(
                best.type(),
                Optional.empty(),
                fastest ? new GpuTypeReason.Fastest(type) : new GpuTypeReason.WithRoom(type));
    }

    /** The offer of a type to {@code job} if it joins the other jobs there. */
    private Offer offer(JobSnapshot job, String type) {
        return pool(type)
                .map(pool -> {
                    pool.add(job);
                    Offer offer = new Offer(type, pool.hasRoom(), pool.stepsPerSecond(job));
                    pool.remove(job);
                    return offer;
                })
                .orElseGet(() -> new Offer(type, false, 0));
    }

    /** Changes the type of a job if that pays off. Before its speed was measured, the value of a change is unknown. */
    private void reconsider(Running running) {
        QueuedJob queued = running.job();
        JobSnapshot job = queued.job();
        if (job.speed().isEmpty()) {
            return;
        }
        String now = running.type();
        pool(now).ifPresent(pool -> pool.remove(job));
        Chosen best = fastest(queued);
        GpuTypeChange change = new GpuTypeChange(
                job, offer(job, now).stepsPerSecond(), offer(job, best.type()).stepsPerSecond());
        boolean changes = !best.type().equals(now) && change.repays();
        Chosen result = changes
                ? new Chosen(
                        best.type(),
                        Optional.of(now),
                        new GpuTypeReason.Changed(
                                GpuTypes.resource(best.type()), GpuTypes.resource(now), change.secondsSaved()))
                : Chosen.settled(now);
        settle(queued, result);
    }
}
