package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.policy.AllocationReason.Growth;
import io.optimus.model.policy.AllocationReason.Lack;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is left of the cluster while it is divided. */
final class Division {
    final List<Contender> contenders;

    private final ResourceAxes axes;
    private final Resources capacity;
    private final long[] left;
    private final TaskShapes shapes;
    private final Set<String> nodes;

    Division(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        List<Resources> tasks = jobs.stream()
                .flatMap(job ->
                        Stream.of(job.parameterServers().task(), job.workers().task()))
                .distinct()
                .toList();
        this.axes = ResourceAxes.of(cluster, tasks.stream());
        this.capacity = cluster.capacity();
        this.left = axes.amounts(cluster.available());
        this.shapes = new TaskShapes(cluster, axes, tasks);
        this.nodes = cluster.nodes().stream().map(NodeSnapshot::id).collect(Collectors.toSet());
        this.contenders = jobs.stream().map(this::contender).toList();
    }

    private Contender contender(JobSnapshot job) {
        Resources server = job.parameterServers().task();
        Resources worker = job.workers().task();
        return new Contender(
                job,
                axes.amounts(server),
                axes.amounts(worker),
                shapes.index(server),
                shapes.index(worker),
                server.dominantShare(capacity),
                worker.dominantShare(capacity));
    }

    /** What a job holds on nodes that are still there. */
    Allocation held(JobSnapshot job) {
        Allocation held = Allocation.NONE;
        for (Map.Entry<String, Allocation> tasks : job.current().byNode().entrySet()) {
            held = nodes.contains(tasks.getKey()) ? held.plus(tasks.getValue()) : held;
        }
        return held;
    }

    /** Gives (negative: takes back) tasks, whether they fit or not. */
    void take(Contender contender, int servers, int workers) {
        ResourceAxes.take(contender.serverTask, servers, left);
        ResourceAxes.take(contender.workerTask, workers, left);
        shapes.take(contender.serverShape, servers);
        shapes.take(contender.workerShape, workers);
        contender.servers += servers;
        contender.workers += workers;
    }

    /** Gives what is missing to {@code wished}, all or nothing; returns what lacks, null where it was given. */
    @Nullable
    Lack raise(Contender contender, Allocation wished) {
        int servers = Math.max(0, wished.parameterServers() - contender.servers);
        int workers = Math.max(0, wished.workers() - contender.workers);
        Lack lack = lack(contender, servers, workers);
        if (lack == null) {
            take(contender, servers, workers);
        }
        return lack;
    }

    /** Gives the contender's next step, or closes what has no room. */
    void grow(Contender contender, @Nullable Contender runnerUp) {
        Lack lack = lack(contender, contender.nextServers, contender.nextWorkers);
        if (lack == null) {
            contender.last = growth(contender, runnerUp);
            take(contender, contender.nextServers, contender.nextWorkers);
            return;
        }
        contender.lack = lack;
        contender.lackOf = contender.nextRole();
        boolean both = contender.nextServers > 0 && contender.nextWorkers > 0;
        // Of both together, neither is tried again: alone neither gains.
        contender.serversClosed |= both || contender.nextServers > 0;
        contender.workersClosed |= both || contender.nextWorkers > 0;
    }

    private Growth growth(Contender contender, @Nullable Contender runnerUp) {
        Role role = contender.nextRole();
        Resources task = contender.job.demand(role).task();
        return new Growth(
                role,
                contender.nextServers > 0 && contender.nextWorkers > 0,
                contender.nextSaved,
                contender.share(),
                dominant(task),
                runnerUp == null ? "" : runnerUp.job.id());
    }

    private String dominant(Resources task) {
        String dominant = "resources";
        double largest = 0;
        for (Map.Entry<String, Long> amount : task.amounts().entrySet()) {
            double share = (double) amount.getValue() / Math.max(1, capacity.amount(amount.getKey()));
            if (share > largest) {
                dominant = amount.getKey();
                largest = share;
            }
        }
        return dominant;
    }

    private @Nullable Lack lack(Contender contender, int servers, int workers) {
        for (int axis = 0; axis < left.length; axis++) {
            long asked = servers * contender.serverTask[axis] + workers * contender.workerTask[axis];
            if (asked > 0 && asked > left[axis]) {
                return new Lack.OfResource(axes.name(axis), asked, left[axis]);
            }
        }
        if (workers > 0 && !shapes.hosts(contender.workerShape, workers)) {
            return new Lack.OfNodes(Role.WORKER);
        }
        if (servers > 0 && !shapes.hosts(contender.serverShape, servers)) {
            return new Lack.OfNodes(Role.PARAMETER_SERVER);
        }
        return null;
    }
}
