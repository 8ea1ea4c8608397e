package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
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
 * ends where none of those gains either. So a table of p·w sizes becomes at most p + w of them. Example: where a worker
 * takes a GPU of 8 and a server 1 of 64 cores, (1,1) goes on to (2,1) if that server gains an eighth of what a worker would.
 *
 * <p>The size that the job holds is always among them, where it is one that the job may have.
 */
final class Sizes {
    private static final List<Allocation> STEPS =
            List.of(new Allocation(0, 1), new Allocation(1, 0), new Allocation(1, 1));

    private final JobSnapshot job;
    private final Allocation most;
    private final ToDoubleFunction<Allocation> speed;

    /**
     * Of one job.
     *
     * @param most largest of each role, at least the job's minimum
     * @param speed of a size
     */
    Sizes(JobSnapshot job, Allocation most, ToDoubleFunction<Allocation> speed) {
        this.job = job;
        this.most = most;
        this.speed = speed;
    }

    private Size size(Allocation tasks) {
        return new Size(tasks, speed.applyAsDouble(tasks));
    }

    /** Of workers alone, on nodes that host so many of them. */
    List<Size> ofWorkers(Hosting hosting, Allocation held) {
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
        return sizes.stream().map(this::size).toList();
    }

    private void addWorkers(Set<Allocation> sizes, int count) {
        if (count >= job.minimum().workers() && count <= most.workers()) {
            sizes.add(new Allocation(0, count));
        }
    }

    /**
     * The chain of those with parameter servers.
     *
     * @param share of the cluster that a size takes
     */
    List<Size> chain(ToDoubleFunction<Allocation> share, Allocation held) {
        List<Size> chain = new ArrayList<>();
        Size size = size(job.minimum());
        boolean holdsOne = false;
        while (size != null) {
            chain.add(size);
            holdsOne |= size.tasks().equals(held);
            size = next(size, share);
        }
        if (!holdsOne && job.minimum().isWithin(held) && held.isWithin(most)) {
            chain.add(size(held));
        }
        return chain;
    }

    private @Nullable Size next(Size from, ToDoubleFunction<Allocation> share) {
        Size next = null;
        int furthest = Math.max(most.parameterServers(), most.workers());
        for (int atATime = 1; next == null && atATime <= furthest; atATime *= 2) {
            next = steepest(from, atATime, share);
        }
        return next;
    }

    private @Nullable Size steepest(Size from, int atATime, ToDoubleFunction<Allocation> share) {
        Size best = null;
        double steepest = 0;
        double shareNow = share.applyAsDouble(from.tasks());
        for (Allocation step : STEPS) {
            Allocation tasks = from.tasks().plus(step.times(atATime));
            if (!tasks.isWithin(most)) {
                continue;
            }
            Size next = size(tasks);
            double gain = next.stepsPerSecond() - from.stepsPerSecond();
            double slope = gain / (share.applyAsDouble(tasks) - shareNow);
            if (gain > 0 && slope > steepest) {
                best = next;
                steepest = slope;
            }
        }
        return best;
    }
}
