package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.speed.SpeedFunction;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

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
 * others need on theirs; an hour where nobody's end is predicted. A job that stands still (a speed too small for a
 * number) gains infinitely from the task that sets it going, which comes first: without it, it would never end.
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

    @Override
    public String name() {
        return "optimus";
    }

    @Override
    public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        Division division = new Division(cluster, jobs.stream().sorted(BY_RIGHT).toList());
        List<Contender> contenders = division.contenders();
        contenders.forEach(contender -> keepWhatMayNotShrink(division, contender));
        contenders.forEach(contender -> giveMinimum(division, contender));
        List<Contender> running =
                contenders.stream().filter(contender -> !contender.waits()).toList();
        new Growing(division, BY_AGE).grow(growers(running));
        Learning learning = new Learning(division);
        running.forEach(learning::giveSize);
        return AllocationDecision.of(contenders.stream()
                .collect(Collectors.toMap(contender -> contender.job().id(), Contender::decided)));
    }

    private static void keepWhatMayNotShrink(Division division, Contender contender) {
        if (!contender.job().mayShrink()) {
            division.set(contender, contender.held().min(contender.job().maximum()));
        }
    }

    private static void giveMinimum(Division division, Contender contender) {
        Allocation minimum = contender.job().minimum();
        division.raise(contender, minimum).ifPresent(lack -> {
            contender.explain(new AllocationReason.Waits(contender.job().trainsOn(), minimum, lack));
            // Less than a minimum does not run.
            division.set(contender, Allocation.NONE);
        });
        contender.isSureOfWhatItHas();
    }

    private static List<Grower> growers(List<Contender> running) {
        List<Contender> known = running.stream()
                .filter(contender -> contender.job().speed().isPresent())
                .toList();
        double median = medianSecondsOnMinimum(known);
        return known.stream().map(contender -> grower(contender, median)).toList();
    }

    private static Grower grower(Contender contender, double assumedSeconds) {
        JobSnapshot job = contender.job();
        SpeedFunction speed = job.speed().orElseThrow();
        if (job.remainingSteps().isPresent()) {
            return new Grower(contender, speed, job.remainingSteps().getAsDouble(), OptionalDouble.empty());
        }
        double atMinimum = speed.stepsPerSecond(job.minimum());
        // One that stands still has a step before it, however long that takes.
        double steps = atMinimum > 0 ? assumedSeconds * atMinimum : 1;
        return new Grower(contender, speed, steps, OptionalDouble.of(assumedSeconds));
    }

    private static double medianSecondsOnMinimum(List<Contender> known) {
        double[] seconds = known.stream()
                .map(Contender::job)
                .filter(job -> job.remainingSteps().isPresent())
                .mapToDouble(job ->
                        job.speed().orElseThrow().seconds(job.remainingSteps().getAsDouble(), job.minimum()))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        return seconds.length == 0 ? NOMINAL_SECONDS : seconds[seconds.length / 2];
    }
}
