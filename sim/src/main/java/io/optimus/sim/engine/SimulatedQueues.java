package io.optimus.sim.engine;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The queues that jobs are in, each with the room that its jobs may use. */
final class SimulatedQueues {
    private final SortedMap<String, List<ActiveJob>> jobs = new TreeMap<>();
    private final Map<String, ClusterChange.QueueLimits> limits;
    private final ClusterSnapshot cluster;
    private final double nowSeconds;

    /**
     * Sorts jobs by queue.
     *
     * @param cluster nodes that are up, before any job holds tasks there
     * @param limits limits of queues; a queue without an entry may use the whole cluster
     */
    SimulatedQueues(
            Collection<ActiveJob> active,
            ClusterSnapshot cluster,
            Map<String, ClusterChange.QueueLimits> limits,
            double nowSeconds) {
        this.cluster = cluster;
        this.limits = limits;
        this.nowSeconds = nowSeconds;
        active.forEach(job -> jobs.computeIfAbsent(job.job().submission().queue(), queue -> new ArrayList<>())
                .add(job));
    }

    /**
     * A queue in a round.
     *
     * @param path its path
     * @param jobs its jobs
     * @param cluster nodes and budget of these jobs; what they hold counts as available
     * @param held what their tasks hold
     * @param limits its limits
     */
    record Queue(
            String path,
            List<ActiveJob> jobs,
            ClusterSnapshot cluster,
            Resources held,
            ClusterChange.QueueLimits limits) {
        Resources free() {
            return cluster.available().minus(held);
        }

        /** As in the ResourceManager: others wait in the queue, or have taken room that its jobs hold. */
        boolean keepsRunning() {
            return limits.othersWait() || !held.fitsIn(cluster.available());
        }
    }

    List<Queue> all() {
        List<Queue> queues = new ArrayList<>();
        jobs.forEach((path, own) -> queues.add(queue(path, own)));
        return queues;
    }

    private Queue queue(String path, List<ActiveJob> own) {
        ClusterChange.QueueLimits known = limits.get(path);
        ClusterChange.QueueLimits unlimited =
                new ClusterChange.QueueLimits(cluster.budget(), new TreeMap<>(), 0, false);
        Resources held = own.stream().map(ActiveJob::held).reduce(Resources.NONE, Resources::plus);
        ClusterSnapshot room = cluster.less(heldBesides(path));
        return new Queue(
                path,
                own,
                known == null ? room : new ClusterSnapshot(keeping(room.nodes(), own), known.budget()),
                held,
                known == null ? unlimited : known);
    }

    /** What the jobs of other queues hold, by node. */
    private Map<String, Resources> heldBesides(String path) {
        Map<String, Resources> held = new HashMap<>();
        jobs.forEach((queue, others) -> {
            if (!queue.equals(path)) {
                others.forEach(job -> addTo(held, job, job.placement().byNode()));
            }
        });
        return held;
    }

    private static void addTo(Map<String, Resources> sums, ActiveJob job, Map<String, Allocation> tasks) {
        tasks.forEach((node, here) -> sums.merge(node, job.job().demand().resources(here), Resources::plus));
    }

    /** As in the ResourceManager, others take no room that running jobs need for their minimum, or may not give up. */
    private List<NodeSnapshot> keeping(List<NodeSnapshot> nodes, List<ActiveJob> own) {
        Map<String, Resources> needed = new HashMap<>();
        for (ActiveJob job : own) {
            boolean all = !job.mayShrink(nowSeconds);
            addTo(
                    needed,
                    job,
                    (all
                                    ? job.placement()
                                    : job.placement().largest(job.job().demand().minimum()))
                            .byNode());
        }
        return nodes.stream()
                .map(node -> node.withAvailable(node.available().max(needed.getOrDefault(node.id(), Resources.NONE))))
                .toList();
    }
}
