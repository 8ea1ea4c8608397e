package io.optimus.model.plan;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.Words;
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
 * Chooses the type of GPU that each job of a queue runs on: one at a time, because a synchronous job waits for its slowest
 * worker.
 *
 * <ol>
 *   <li>A job that has only one to choose has that one; one that no type can hold, the type that holds most of it.
 *   <li>A running job counts with the type that it is on.
 *   <li>A waiting job, the oldest first, goes where everybody's minimum has room, and of such types where an equal part makes
 *       it fastest ({@link GpuPool}).
 *   <li>A running job that may shrink, the oldest first, changes over where that saves it more time than a resize costs and
 *       predictions are wrong by.
 * </ol>
 *
 * <p>Example: 8 GPUs of speed 2.5 and 8 of speed 1, jobs as fast as they have GPUs. The first three go to the fast ones, with
 * 2.5 · 8/3 = 6.7 each; for the fourth, 2.5 · 8/4 = 5 there is less than 8 on the slow ones.
 */
final class GpuTypeChoice {
    private static final Comparator<Offer> BETTER = Comparator.comparing((Offer offer) -> !offer.hasRoom())
            .thenComparingDouble(offer -> -offer.stepsPerSecond());

    /**
     * The type for one job.
     *
     * @param type of all its GPUs
     * @param from the type that it gives up for that
     * @param reason why, in words
     */
    record Chosen(String type, Optional<String> from, String reason) {
        /** Where the job is, or the only one that it can have. */
        static Chosen settled(String type) {
            return new Chosen(type, Optional.empty(), on(type));
        }
    }

    /** One type, with whether all that are there have room for their minimums, and how fast it makes a job. */
    private record Offer(String type, boolean hasRoom, double stepsPerSecond) {}

    /** A job on one of several types that it could be on. */
    private record Running(QueuedJob job, String type) {}

    private final GpuTypes types;
    private final Map<String, String> typeOfNode = new HashMap<>();
    private final SortedMap<String, GpuPool> crowds = new TreeMap<>();
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
        nodes.forEach((type, of) -> crowds.put(type, new GpuPool(types.speed(type), of, cluster.budget())));
    }

    /** For each job of {@code queue} that needs GPUs, by its id. */
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
        crowd(type.type()).ifPresent(crowd -> crowd.enter(job.job()));
    }

    private Optional<GpuPool> crowd(String type) {
        return Optional.ofNullable(crowds.get(type));
    }

    /**
     * Those that it accepts and that have room for its minimum, the fastest first. Where none has, the one that holds most of
     * it: there it lacks least, and is most likely to be when a node that failed is back.
     */
    private List<String> usable(QueuedJob job) {
        List<String> accepted = (job.gpuTypes().isEmpty() ? crowds.keySet() : job.gpuTypes())
                .stream()
                        .sorted(Comparator.comparing((String type) -> !crowds.containsKey(type))
                                .thenComparing(type -> -types.speed(type)))
                        .toList();
        List<String> hosting = accepted.stream()
                .filter(type ->
                        crowd(type).filter(crowd -> crowd.hosts(job.job())).isPresent())
                .toList();
        if (!hosting.isEmpty()) {
            return hosting;
        }
        // Of equal ones the first, which is the fastest type.
        return List.of(accepted.stream()
                .max(Comparator.comparingInt(
                        type -> crowd(type).map(crowd -> crowd.holds(job.job())).orElse(0)))
                .orElse(""));
    }

    /** The type that most of its workers are on. */
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
        if (crowds.containsKey(type)) {
            return Chosen.settled(type);
        }
        String wants = job.gpuTypes().isEmpty() ? "needs" : "accepts " + String.join(" or ", job.gpuTypes()) + " only:";
        return new Chosen(type, Optional.empty(), "it " + wants + " GPUs that no node has");
    }

    private Chosen fastest(QueuedJob job) {
        // Of equal ones the first, which is the fastest type.
        Offer best = usable(job).stream()
                .map(type -> offer(job.job(), type))
                .reduce((one, other) -> BETTER.compare(other, one) < 0 ? other : one)
                .orElseThrow();
        return new Chosen(best.type(), Optional.empty(), on(best.type()) + ", where an equal part makes it fastest");
    }

    /** What a type would be to {@code job} if it joined the others there. */
    private Offer offer(JobSnapshot job, String type) {
        return crowd(type)
                .map(crowd -> {
                    crowd.enter(job);
                    Offer offer = new Offer(type, crowd.hasRoom(), crowd.stepsPerSecond(job));
                    crowd.leave(job);
                    return offer;
                })
                .orElseGet(() -> new Offer(type, false, 0));
    }

    /** Until it was measured, nothing tells what a change is worth. */
    private void reconsider(Running running) {
        QueuedJob queued = running.job();
        JobSnapshot job = queued.job();
        if (job.speed().isEmpty()) {
            return;
        }
        String now = running.type();
        crowd(now).ifPresent(crowd -> crowd.leave(job));
        Chosen best = fastest(queued);
        GpuTypeChange transfer = new GpuTypeChange(
                job, offer(job, now).stepsPerSecond(), offer(job, best.type()).stepsPerSecond());
        boolean changes = !best.type().equals(now) && transfer.repays();
        Chosen result = changes
                ? new Chosen(
                        best.type(),
                        Optional.of(now),
                        on(best.type()) + " instead of " + now + ", which saves it "
                                + Words.seconds(transfer.secondsSaved()))
                : Chosen.settled(now);
        settle(queued, result);
    }

    private static String on(String type) {
        return "on " + GpuTypes.resource(type);
    }
}
