package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.speedup.Hosting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sizes among which a job's allocation is chosen, the smallest first.
 *
 * <p>Of workers alone: the minimum, powers of two within a node, then whole nodes: what can be packed without splitting
 * nodes between distributed jobs. Example: nodes of 4, minimum 1, at most 20: 1, 2, 4, 8, 12, 16, 20.
 *
 * <p>With parameter servers: a chain from the minimum, each time by what gains most speed for the share of the cluster
 * that it takes: a worker, a server, or (since one alone can be worth nothing where both are worth much) one of each.
 * Where none of these gains, 2, 4, 8 … at a time are tried: a job that outgrows its node is slower at first. The chain
 * ends where none of those gains either. So a table of p·w sizes becomes at most p + w of them. Example: where a worker takes a GPU of 8 and
 * a server 1 of 64 cores, (1,1) goes on to (2,1) if that server gains an eighth of what a worker would.
 *
 * <p>The size that the job holds is always among them, where it is one that the job may have.
 */
final class Sizes {
    private static final List<Allocation> STEPS =
            List.of(new Allocation(0, 1), new Allocation(1, 0), new Allocation(1, 1));

    private final JobSnapshot job;
    private final Allocation most;

    /**
     * Of one job.
     *
     * @param most largest of each role, at least the job's minimum
     */
    Sizes(JobSnapshot job, Allocation most) {
        this.job = job;
        this.most = most;
    }

    /** Of workers alone, on nodes that host so many of them. */
    List<Allocation> ofWorkers(Hosting hosting, Allocation held) {
        TreeSet<Allocation> sizes = new TreeSet<>();
        int node = Math.max(1, Math.min(hosting.onOneNode(), most.workers()));
        for (int count = 1; count < node; count *= 2) {
            addWorkers(sizes, count);
        }
        for (long count = node; count <= most.workers(); count += node) {
            addWorkers(sizes, (int) count);
        }
        addWorkers(sizes, job.minimum().workers());
        addWorkers(sizes, job.maximum().workers());
        addWorkers(sizes, held.workers());
        return List.copyOf(sizes);
    }

    private void addWorkers(Set<Allocation> sizes, int count) {
        if (count >= job.minimum().workers() && count <= most.workers()) {
            sizes.add(new Allocation(0, count));
        }
    }

    /**
     * The chain of those with parameter servers.
     *
     * @param speed of a size
     * @param share of the cluster that a size takes
     */
    List<Allocation> chain(ToDoubleFunction<Allocation> speed, ToDoubleFunction<Allocation> share, Allocation held) {
        List<Allocation> chain = new ArrayList<>();
        Allocation size = job.minimum();
        while (size != null) {
            chain.add(size);
            size = next(size, speed, share);
        }
        if (job.minimum().isWithin(held) && held.isWithin(most) && !chain.contains(held)) {
            chain.add(held);
        }
        return chain;
    }

    private @Nullable Allocation next(
            Allocation from, ToDoubleFunction<Allocation> speed, ToDoubleFunction<Allocation> share) {
        Allocation next = null;
        int furthest = Math.max(most.parameterServers(), most.workers());
        for (int atATime = 1; next == null && atATime <= furthest; atATime *= 2) {
            next = steepest(from, atATime, speed, share);
        }
        return next;
    }

    private @Nullable Allocation steepest(
            Allocation from, int atATime, ToDoubleFunction<Allocation> speed, ToDoubleFunction<Allocation> share) {
        Allocation best = null;
        double steepest = 0;
        double speedNow = speed.applyAsDouble(from);
        double shareNow = share.applyAsDouble(from);
        for (Allocation step : STEPS) {
            Allocation next = from.plus(step.times(atATime));
            if (!next.isWithin(most)) {
                continue;
            }
            double gain = speed.applyAsDouble(next) - speedNow;
            double slope = gain / (share.applyAsDouble(next) - shareNow);
            if (gain > 0 && slope > steepest) {
                best = next;
                steepest = slope;
            }
        }
        return best;
    }
}
