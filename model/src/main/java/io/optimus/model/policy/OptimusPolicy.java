package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.policy.AllocationDecision.Decided;
import io.optimus.model.policy.AllocationReason.GrowthEnd;
import io.optimus.model.policy.AllocationReason.Lack;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Tasks go where they save the most completion time a share of the cluster (Optimus, section 4.1).
 *
 * <ol>
 *   <li>Jobs that may not shrink keep what they hold, even where limits were lowered below it.
 *   <li>Every job gets its minimum, whole or not at all, while it fits: larger priority first, then jobs that run
 *       already (no running job is stopped for an equal one), then submit time, then id.
 *   <li>While anything gains: the job with the largest gain gets its task,
 *       <pre>gain = max( (Q/f(p,w) − Q/f(p,w+1)) / D_worker, (Q/f(p,w) − Q/f(p+1,w)) / D_ps )</pre>
 *       with Q remaining steps, f the speed function, D the share of the cluster that a task takes of its dominant
 *       resource. Where neither gains, one of both together is tried, over the sum of the shares. A task without room
 *       is dropped, not its job and not the loop. Gains of young jobs count 0.95 times.
 *   <li>Jobs that shall explore a size get it, of what they were given and what is then left; what they do not use of
 *       theirs stays free for their return. Jobs whose speed is not known and that explore nothing keep the size that
 *       they run on, as far as there is room.
 * </ol>
 *
 * <p>A job with a known speed whose end is not predicted yet is taken to need, on its minimum, the median of what the
 * others need on theirs; an hour where nobody's end is predicted.
 *
 * <p>Example: 4 GPUs, A and B on 1 ps + 1 worker each, a worker takes 1 GPU. A needs 100 s, 60 s with one more worker; B 50 s,
 * 25 s. The third GPU goes to A: 40 s / (1/4) against 25 s / (1/4).
 */
public final class OptimusPolicy implements AllocationPolicy {
    /** Stands for the remaining time on the minimum where no job's end is predicted: only the ratios matter then. */
    private static final double NOMINAL_SECONDS = 3600;

    private static final Comparator<JobSnapshot> BY_AGE =
            Comparator.comparingLong(JobSnapshot::submitMillis).thenComparing(JobSnapshot::id);
    private static final Comparator<JobSnapshot> BY_RIGHT = Comparator.comparingInt(JobSnapshot::priority)
            .reversed()
            .thenComparing(job -> !job.minimum().isWithin(job.current().allocation()))
            .thenComparing(BY_AGE);
    private static final Comparator<Contender> BY_GAIN = Comparator.comparingDouble(
                    (Contender contender) -> contender.nextGain)
            .reversed()
            .thenComparing(contender -> contender.job, BY_AGE);

    @Override
    public String name() {
        return "optimus";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = new Division(cluster, jobs.stream().sorted(BY_RIGHT).toList());
        keepWhatMayNotShrink(division);
        giveMinimums(division);
        grow(division);
        giveSizesToLearn(division);
        Map<String, Decided> decided = new HashMap<>();
        division.contenders.forEach(contender -> decided.put(contender.job.id(), decided(contender)));
        return AllocationDecision.of(decided);
    }

    private static void keepWhatMayNotShrink(Division division) {
        for (Contender contender : division.contenders) {
            if (!contender.job.mayShrink()) {
                Allocation held = division.held(contender.job);
                Allocation maximum = contender.job.maximum();
                division.take(
                        contender,
                        Math.min(held.parameterServers(), maximum.parameterServers()),
                        Math.min(held.workers(), maximum.workers()));
            }
        }
    }

    private static void giveMinimums(Division division) {
        for (Contender contender : division.contenders) {
            Lack lack = division.raise(contender, contender.job.minimum());
            if (lack != null) {
                contender.waits = true;
                contender.reason = new AllocationReason.Waits(contender.job.minimum(), lack);
                // Less than a minimum does not run.
                division.take(contender, -contender.servers, -contender.workers);
            }
            contender.sure = contender.allocation();
        }
    }

    private static void grow(Division division) {
        List<Contender> known = division.contenders.stream()
                .filter(contender -> !contender.waits && contender.job.speed().isPresent())
                .toList();
        assumeRemaining(known);
        PriorityQueue<Contender> queue = new PriorityQueue<>(Math.max(1, known.size()), BY_GAIN);
        known.forEach(contender -> enqueue(queue, contender));
        while (!queue.isEmpty()) {
            Contender best = queue.remove();
            division.grow(best, queue.peek());
            enqueue(queue, best);
        }
        known.forEach(OptimusPolicy::explain);
    }

    private static void enqueue(PriorityQueue<Contender> queue, Contender contender) {
        contender.chooseNext();
        if (contender.nextGain > 0) {
            queue.add(contender);
        }
    }

    private static void assumeRemaining(List<Contender> known) {
        double[] seconds = known.stream()
                .filter(contender -> contender.job.remainingSteps().isPresent())
                .mapToDouble(contender -> contender.job.remainingSteps().getAsDouble() / minimumSpeed(contender.job))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        double median = seconds.length == 0 ? NOMINAL_SECONDS : seconds[seconds.length / 2];
        for (Contender contender : known) {
            if (contender.job.remainingSteps().isPresent()) {
                contender.remainingSteps = contender.job.remainingSteps().getAsDouble();
            } else {
                contender.assumedSeconds = median;
                contender.remainingSteps = median * minimumSpeed(contender.job);
            }
        }
    }

    private static double minimumSpeed(JobSnapshot job) {
        return job.speed().orElseThrow().stepsPerSecond(job.minimum());
    }

    private static void explain(Contender contender) {
        Allocation allocation = contender.allocation();
        if (contender.last != null) {
            contender.reason = new AllocationReason.Grew(allocation, contender.last, contender.end());
        } else if (allocation.equals(contender.job.minimum())) {
            contender.reason = new AllocationReason.StaysAtMinimum(allocation, contender.end());
        } else {
            contender.reason = new AllocationReason.MayNotShrink(allocation, contender.end());
        }
    }

    private static void giveSizesToLearn(Division division) {
        for (Contender contender : division.contenders) {
            if (!contender.waits && contender.job.speed().isEmpty()) {
                giveSize(division, contender);
            } else if (!contender.waits && contender.job.exploration().isPresent()) {
                exploreWithin(division, contender);
            }
        }
    }

    /** A job with a speed to compete by: what it won is its own to explore in. */
    private static void exploreWithin(Division division, Contender contender) {
        Allocation wished = within(contender.job.exploration().orElseThrow(), contender.job);
        Allocation won = contender.allocation();
        Allocation sure = contender.sure;
        if (!sure.isWithin(wished)) {
            return;
        }
        division.take(contender, sure.parameterServers() - won.parameterServers(), sure.workers() - won.workers());
        if (division.raise(contender, wished) == null) {
            contender.reason = new AllocationReason.Explores(wished);
        } else {
            division.take(contender, won.parameterServers() - sure.parameterServers(), won.workers() - sure.workers());
        }
    }

    private static void giveSize(Division division, Contender contender) {
        JobSnapshot job = contender.job;
        Allocation wished = within(job.exploration().orElse(division.held(job)), job);
        Allocation sure = contender.allocation();
        Lack lack = sure.isWithin(wished) ? division.raise(contender, wished) : null;
        if (contender.allocation().equals(wished) && job.exploration().isPresent()) {
            contender.reason = new AllocationReason.Explores(wished);
        } else if (contender.allocation().equals(division.held(job))) {
            contender.reason = new AllocationReason.KeepsSize(contender.allocation());
        } else {
            GrowthEnd end = lack == null ? new GrowthEnd.NothingToTry() : new GrowthEnd.SpeedUnknown(lack);
            contender.reason = contender.allocation().equals(job.minimum())
                    ? new AllocationReason.StaysAtMinimum(sure, end)
                    : new AllocationReason.MayNotShrink(sure, end);
        }
    }

    private static Allocation within(Allocation wished, JobSnapshot job) {
        return new Allocation(
                Math.min(
                        Math.max(
                                wished.parameterServers(),
                                job.parameterServers().min()),
                        job.parameterServers().max()),
                Math.min(
                        Math.max(wished.workers(), job.workers().min()),
                        job.workers().max()));
    }

    private static Decided decided(Contender contender) {
        AllocationReason reason = contender.reason;
        if (reason == null) {
            throw new IllegalStateException("No reason was given for " + contender.job.id());
        }
        return new Decided(contender.allocation(), reason, reason instanceof AllocationReason.Explores);
    }
}
