package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.job.JobSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Asserts that no resources stay free that a job could use. */
final class WorkConservation {
    private WorkConservation() {}

    /**
     * Asserts that no job is below its maximum while a further bundle (its minimum, or a task of each role that is not at
     * its maximum) fits into the free resources. The cluster is one node, so that whatever fits in sum can be placed.
     */
    static void assertKeptBy(AllocationPolicy policy) {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            ClusterSnapshot cluster = Clusters.of(1, Resources.of(16_384, 4 + random.nextInt(60), random.nextInt(20)));
            List<JobSnapshot> jobs = new ArrayList<>();
            for (int job = random.nextInt(8); job >= 0; job--) {
                jobs.add(job(random, "job" + job));
            }
            assertNoBundleFits("seed " + seed, cluster, jobs, policy.allocate(cluster, jobs));
        }
    }

    private static JobSnapshot job(Random random, String id) {
        Jobs job = Jobs.resnet(id)
                .submitted(random.nextInt(3))
                .remaining(random.nextInt(10_000))
                .servers(Resources.of(512, 1 + random.nextInt(3), 0), 1 + random.nextInt(2), 2 + random.nextInt(5))
                .workers(
                        Resources.of(512, 1 + random.nextInt(2), random.nextInt(3)),
                        1 + random.nextInt(3),
                        3 + random.nextInt(6));
        return (random.nextInt(4) == 0 ? job.withoutServers() : job).snapshot();
    }

    private static void assertNoBundleFits(
            String description, ClusterSnapshot cluster, List<JobSnapshot> jobs, AllocationDecision decision) {
        Resources left = cluster.available();
        for (JobSnapshot job : jobs) {
            left = left.minus(job.resources(decision.job(job.id()).allocation()));
        }
        for (JobSnapshot job : jobs) {
            Allocation given = decision.job(job.id()).allocation();
            Allocation bundle = given.isNone()
                    ? job.minimum()
                    : given.plus(new Allocation(1, 1)).min(job.maximum()).beyond(given);
            assertThat(!bundle.isNone() && job.resources(bundle).fitsIn(left))
                    .as("%s: %s has %s of %s, and %s is left", description, job.id(), given, job.maximum(), left)
                    .isFalse();
        }
    }
}
