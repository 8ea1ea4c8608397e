package io.optimus.model.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.RandomRound;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.Test;

public class OptimusPolicyTest {
    private final OptimusPolicy policy = new OptimusPolicy();

    private AllocationDecision allocate(ClusterSnapshot cluster, Jobs... jobs) {
        return policy.allocate(cluster, Jobs.snapshots(jobs));
    }

    private static Jobs oneServer(String id) {
        // A second worker saves nearly half of the time, a third one less.
        return Jobs.resnet(id).servers(Jobs.SERVER, 1, 1).speed(new SynchronousSpeed(32, 1, .1, 0, .01, 0));
    }

    @Test
    public void givesNextWorkerToLargestMarginalGain() {
        AllocationDecision decision =
                allocate(Clusters.ofGpus(1, 3), oneServer("a").remaining(2000), oneServer("b"));

        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(1, 2));
        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void letsAJobWaitIfItsMinimumDoesNotFit() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 3),
                oneServer("a").workers(Jobs.WORKER, 2, 2),
                oneServer("b").submitted(1).workers(Jobs.WORKER, 2, 4),
                oneServer("c").submitted(2));

        assertThat(decision.job("b").allocation()).isEqualTo(Allocation.NONE);
        assertThat(decision.job("b").reason()).isInstanceOf(AllocationReason.Waits.class);
        assertThat(decision.job("c").allocation()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void servesLargerPriorityFirst() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 1),
                oneServer("a"),
                oneServer("b").submitted(5).priority(1));

        assertThat(decision.job("a").allocation()).isEqualTo(Allocation.NONE);
        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void keepsTasksThatMayNotShrink() {
        Placement held = Placement.of(Map.of(Clusters.id(0), new Allocation(1, 3)));
        AllocationDecision decision = allocate(
                Clusters.ofGpus(1, 4),
                oneServer("a").remaining(1e9),
                oneServer("b").submitted(1).remaining(1).on(held).mayNotShrink());

        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(1, 3));
        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void looksOneTaskFurtherBeforeItStops() {
        Allocation one = new Allocation(1, 1);
        // Seconds a step: (1,1) 20, (1,2) 21, (2,1) 21, (2,2) 19.
        Jobs job = Jobs.resnet("a").speed(new SynchronousSpeed(1, 10, 0, 6, 0, 4));
        assertThat(allocate(Clusters.ofGpus(1, 8), job).job("a").allocation()).isNotEqualTo(one);
    }

    @Test
    public void skipsSlowerSizes() {
        // A second worker is on a second node, and a third one makes up for that.
        Jobs job = oneServer("a").speed(new LeapingSpeed(List.of(10.0, 11.0, 6.0)));

        AllocationDecision decision = allocate(Clusters.ofGpus(1, 8), job);

        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(1, 3));
        assertThat(decision.job("a").reason().sentence()).contains("its last 2 workers save it");
    }

    @Test
    public void doesNotPassSlowerSizesInSingleTasks() {
        List<JobSnapshot> jobs = Jobs.snapshots(oneServer("a").speed(new LeapingSpeed(List.of(10.0, 11.0, 6.0))));

        assertThat(OptimusPolicy.stepByStep()
                        .allocate(Clusters.ofGpus(1, 8), jobs)
                        .job("a")
                        .allocation())
                .isEqualTo(new Allocation(1, 1));
    }

    @Test
    public void takesALargerGrowthStepThatFits() {
        Jobs job = oneServer("a").speed(new LeapingSpeed(List.of(10.0, 11.0, 9.0, 11.0, 1.0)));

        AllocationDecision decision = allocate(Clusters.ofGpus(1, 4), job);

        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(1, 3));
        assertThat(decision.job("a").reason().sentence()).contains("another 2 workers would save");
    }

    @Test(timeout = 10_000)
    public void endsItsSearchForLargerGrowthSteps() {
        Jobs job =
                oneServer("a").workers(Jobs.WORKER, 1, Integer.MAX_VALUE).speed(new LeapingSpeed(List.of(10.0, 11.0)));

        assertThat(allocate(Clusters.ofGpus(1, 4), job).job("a").allocation()).isEqualTo(new Allocation(1, 1));
    }

    /** Returns the speed from the seconds of a step by the number of workers; the last value is also that of more workers. */
    private record LeapingSpeed(List<Double> seconds) implements SpeedFunction {
        @Override
        public double stepsPerSecond(Allocation allocation) {
            int workers = Math.min(seconds.size(), allocation.workers());
            return workers == 0 ? 0 : 1 / seconds.get(workers - 1);
        }
    }

    @Test
    public void givesNoTaskThatFitsOnNoNode() {
        AllocationDecision decision = allocate(
                Clusters.ofGpus(4, 4),
                oneServer("a").workers(Resources.of(1024, 1, 3), 1, 16).remaining(1e6));

        assertThat(decision.job("a").allocation().workers()).isLessThanOrEqualTo(4);
        assertThat(allocate(Clusters.ofGpus(4, 4), oneServer("a").workers(Resources.of(1024, 1, 5), 1, 16))
                        .job("a")
                        .reason()
                        .sentence())
                .contains("no node has room for one more worker");
    }

    @Test
    public void exploresOnlyWithUnusedResources() {
        Jobs known = oneServer("a").workers(Jobs.WORKER, 1, 3);
        Jobs unknown = Jobs.resnet("b").exploring(1, 3);

        assertThat(allocate(Clusters.ofGpus(1, 6), known, unknown).job("b")).satisfies(decided -> {
            assertThat(decided.allocation()).isEqualTo(new Allocation(1, 3));
            assertThat(decided.exploring()).isTrue();
        });
        assertThat(allocate(Clusters.ofGpus(1, 5), known, unknown).job("b")).satisfies(decided -> {
            assertThat(decided.allocation()).isEqualTo(new Allocation(1, 1));
            assertThat(decided.exploring()).isFalse();
        });
    }

    @Test
    public void exploresWithinItsShareAndUnusedResources() {
        Jobs greedy = oneServer("a").workers(Jobs.WORKER, 1, 16).remaining(1e6);
        Jobs learner = oneServer("b").alsoExploring(1, 7);

        AllocationDecision full = allocate(Clusters.ofGpus(1, 16), greedy, learner.remaining(1e6));
        assertThat(full.job("b").allocation()).isEqualTo(new Allocation(1, 7));
        assertThat(full.job("b").exploring()).isTrue();
        assertThat(full.job("a").allocation().workers()).as("b keeps its share").isLessThan(9);

        AllocationDecision withoutShare = allocate(
                Clusters.ofGpus(1, 4), greedy, learner.alsoExploring(1, 2).remaining(1));
        assertThat(withoutShare.job("b").allocation()).isEqualTo(new Allocation(1, 1));
        assertThat(withoutShare.job("b").exploring()).isFalse();
    }

    @Test
    public void exploresNoSizeThatIsMuchSlowerThanItsShare() {
        Jobs learner = oneServer("a").workers(Jobs.WORKER, 1, 8).remaining(1e6).alsoExploring(1, 2);

        assertThat(allocate(Clusters.ofGpus(1, 8), learner).job("a")).satisfies(decided -> {
            assertThat(decided.allocation()).isEqualTo(new Allocation(1, 8));
            assertThat(decided.exploring()).isFalse();
        });
    }

    @Test
    public void sharesWithJobsOfUnpredictedEnd() {
        AllocationDecision decision =
                allocate(Clusters.ofGpus(1, 6), oneServer("a"), oneServer("b").remaining(OptionalDouble.empty()));

        assertThat(decision.job("a").allocation()).isEqualTo(new Allocation(1, 3));
        assertThat(decision.job("b").allocation()).isEqualTo(new Allocation(1, 3));
        assertThat(decision.job("b").reason().sentence()).contains("its end is not predicted yet");
    }

    @Test
    public void staysWithinClusterAndDemandsInAnyOrder() {
        for (long seed = 0; seed < 2000; seed++) {
            RandomRound round = RandomRound.of(seed);
            AllocationDecision decision = policy.allocate(round.cluster(), round.jobs());
            Resources sum = Resources.NONE;
            for (JobSnapshot job : round.jobs()) {
                Allocation allocation = decision.job(job.id()).allocation();
                sum = sum.plus(job.resources(allocation));
                if (!allocation.isNone()) {
                    assertThat(job.minimum().isWithin(allocation))
                            .as("seed " + seed)
                            .isTrue();
                    assertThat(allocation.isWithin(job.maximum()))
                            .as("seed " + seed)
                            .isTrue();
                }
                if (!job.mayShrink()) {
                    assertThat(job.current().allocation().isWithin(allocation))
                            .as("seed " + seed)
                            .isTrue();
                }
                assertThat(decision.job(job.id()).reason().sentence()).isNotBlank();
            }
            assertThat(sum.fitsIn(round.cluster().available()))
                    .as("seed " + seed)
                    .isTrue();
            List<JobSnapshot> shuffled = new ArrayList<>(round.jobs());
            Collections.shuffle(shuffled, new Random(seed));
            assertThat(policy.allocate(round.cluster(), shuffled))
                    .as("seed " + seed)
                    .isEqualTo(decision);
        }
    }
}
