package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.runner.RunWith;

/** The greedy rule keeps these promises on every cluster. */
@RunWith(JUnitQuickcheck.class)
public class OptimusPolicyPropertiesTest {
    private final OptimusPolicy policy = new OptimusPolicy();

    /** Compares with every division of the GPUs: seconds are convex in the workers, so the greedy division is the best. */
    @Property(trials = 200)
    public void minimisesTheSumOfCompletionTimesIfGainsDecrease(long seed) {
        Random random = new Random(seed);
        List<JobSnapshot> jobs = new ArrayList<>();
        for (int job = random.nextInt(4); job >= 0; job--) {
            jobs.add(random(random, "job" + job)
                    .servers(Jobs.SERVER, 1, 1)
                    .workers(Jobs.WORKER, 1, 5)
                    .snapshot());
        }
        int gpus = jobs.size() + random.nextInt(10);

        AllocationDecision decision = policy.allocate(Clusters.ofGpus(1, gpus), jobs);

        double given = jobs.stream()
                .mapToDouble(job -> seconds(job, decision.job(job.id()).allocation()))
                .sum();
        double best = least(jobs, 0, gpus);
        assertThat(given).isBetween(best * (1 - 1e-12), best * (1 + 1e-12));
    }

    private static double least(List<JobSnapshot> jobs, int from, int gpus) {
        if (from == jobs.size()) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (int workers = 1; workers <= Math.min(5, gpus - (jobs.size() - from - 1)); workers++) {
            double seconds =
                    seconds(jobs.get(from), new Allocation(1, workers)) + least(jobs, from + 1, gpus - workers);
            least = Math.min(least, seconds);
        }
        return least;
    }

    @Property(trials = 300)
    public void leavesNothingFreeThatWouldMakeAJobFaster(long seed) {
        Random random = new Random(seed);
        ClusterSnapshot cluster = Clusters.of(1, Resources.of(65_536, 4 + random.nextInt(60), random.nextInt(20)));
        List<JobSnapshot> jobs = new ArrayList<>();
        for (int job = random.nextInt(6); job >= 0; job--) {
            jobs.add(random(random, "job" + job)
                    .workers(Resources.of(512, 1 + random.nextInt(2), 1 + random.nextInt(2)), 1, 6)
                    .servers(Resources.of(512, 1 + random.nextInt(3), 0), 1, 6)
                    .snapshot());
        }

        AllocationDecision decision = policy.allocate(cluster, jobs);

        Resources left = cluster.available();
        for (JobSnapshot job : jobs) {
            left = left.minus(job.resources(decision.job(job.id()).allocation()));
        }
        for (JobSnapshot job : jobs) {
            Allocation given = decision.job(job.id()).allocation();
            for (Role role : Role.values()) {
                Allocation more = given.plus(role, 1);
                if (!given.isNone()
                        && more.isWithin(job.maximum())
                        && job.demand().of(role).task().fitsIn(left)) {
                    assertThat(seconds(job, more)).as(job.id()).isGreaterThanOrEqualTo(seconds(job, given));
                }
            }
        }
    }

    /** The factor is a power of two, so that results are equal to the last bit. */
    @Property(trials = 200)
    public void isIndependentOfTheUnitOfSteps(int seed) {
        RandomRound round = RandomRound.of(seed);
        List<JobSnapshot> longer = round.jobs().stream()
                .map(job -> new Jobs(job)
                        .remaining(job.remainingSteps().orElse(1) * 1024)
                        .snapshot())
                .toList();
        List<JobSnapshot> shorter = round.jobs().stream()
                .map(job ->
                        new Jobs(job).remaining(job.remainingSteps().orElse(1)).snapshot())
                .toList();

        AllocationDecision ofLonger = policy.allocate(round.cluster(), longer);
        AllocationDecision ofShorter = policy.allocate(round.cluster(), shorter);

        for (JobSnapshot job : round.jobs()) {
            assertThat(ofLonger.job(job.id()).allocation())
                    .isEqualTo(ofShorter.job(job.id()).allocation());
        }
    }

    private static Jobs random(Random random, String id) {
        return Jobs.resnet(id)
                .submitted(random.nextInt(3))
                .remaining(1 + random.nextInt(10_000))
                .speed(new SynchronousSpeed(
                        32,
                        random.nextDouble(),
                        random.nextDouble(),
                        random.nextDouble(),
                        random.nextDouble(),
                        random.nextDouble()));
    }

    private static double seconds(JobSnapshot job, Allocation allocation) {
        return job.speed().orElseThrow().seconds(job.remainingSteps().orElseThrow(), allocation);
    }
}
