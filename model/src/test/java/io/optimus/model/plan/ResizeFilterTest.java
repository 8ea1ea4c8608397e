package io.optimus.model.plan;

import static io.optimus.model.Clusters.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Clusters;
import io.optimus.model.Jobs;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.Test;

public final class ResizeFilterTest {
    /** A step takes 10 s on one worker, 5 s on two, and so on. */
    private static final SynchronousSpeed SCALES = new SynchronousSpeed(1, 10, 0, 0, 0, 0);
    /** A step takes 10.1 s on one worker and 10.05 s on two. */
    private static final SynchronousSpeed HARDLY_SCALES = new SynchronousSpeed(1, .1, 10, 0, 0, 0);

    private final Map<String, Placement> old = new HashMap<>();
    private final Map<String, Proposal> proposed = new HashMap<>();

    @Test
    public void growsIfThatSavesMoreThanTheResizeCosts() {
        JobSnapshot job =
                Jobs.small("x").on(on(0, 1, 1)).speed(SCALES).remaining(100).snapshot();
        change(job, on(0, 1, 1), on(0, 1, 2));

        assertThat(kept(Clusters.ofGpus(1, 8), job).get("x").planned()).isEqualTo(on(0, 1, 2));
    }

    @Test
    public void staysIfGrowthDoesNotRepayTheResize() {
        JobSnapshot job = Jobs.small("x")
                .on(on(0, 1, 1))
                .speed(HARDLY_SCALES)
                .remaining(10)
                .snapshot();
        change(job, on(0, 1, 1), on(0, 1, 2));

        Proposal stays = kept(Clusters.ofGpus(1, 8), job).get("x");

        assertThat(stays.planned()).isEqualTo(on(0, 1, 1));
        assertThat(stays.reason())
                .isEqualTo("stays at 1 ps + 1 worker: 1 ps + 2 workers would save it 0.5 s, and the resize costs 1 s");
    }

    @Test
    public void doesNotShrinkIfNoJobGains() {
        JobSnapshot job =
                Jobs.small("x").on(on(0, 1, 4)).speed(SCALES).remaining(100).snapshot();
        change(job, on(0, 1, 4), on(0, 1, 3));

        Proposal stays = kept(Clusters.ofGpus(1, 8), job).get("x");

        assertThat(stays.planned()).isEqualTo(on(0, 1, 4));
        assertThat(stays.reason())
                .isEqualTo(
                        "stays at 1 ps + 4 workers: no other job can use what shrinking to 1 ps + 3 workers would free");
    }

    @Test
    public void doesNotStopIfNoJobGains() {
        JobSnapshot job =
                Jobs.small("x").on(on(0, 1, 4)).speed(SCALES).remaining(100).snapshot();
        change(job, on(0, 1, 4), Placement.NONE);

        Proposal stays = kept(Clusters.ofGpus(1, 8), job).get("x");

        assertThat(stays.planned()).isEqualTo(on(0, 1, 4));
        assertThat(stays.reason())
                .isEqualTo("stays at 1 ps + 4 workers: no other job can use what stopping it would free");
    }

    @Test
    public void stopsIfAnotherJobUsesTheFreedResources() {
        JobSnapshot stops =
                Jobs.small("x").on(on(0, 1, 4)).speed(SCALES).remaining(100).snapshot();
        JobSnapshot starts = Jobs.small("y").speed(SCALES).remaining(100).snapshot();
        change(stops, on(0, 1, 4), Placement.NONE);
        change(starts, Placement.NONE, on(0, 1, 5));

        Kept kept = kept(Clusters.ofGpus(1, 8), stops, starts);

        assertThat(kept.get("x").planned()).isEqualTo(Placement.NONE);
        assertThat(kept.get("y").planned()).isEqualTo(on(0, 1, 5));
    }

    @Test
    public void shrinksIfTheSmallerSizeIsFaster() {
        // Each worker adds a second to a step.
        JobSnapshot job = Jobs.small("x")
                .on(on(0, 1, 4))
                .speed(new SynchronousSpeed(1, 1, 1, 0, 1, 0))
                .remaining(100)
                .snapshot();
        change(job, on(0, 1, 4), on(0, 1, 1));

        assertThat(kept(Clusters.ofGpus(1, 8), job).get("x").planned()).isEqualTo(on(0, 1, 1));
    }

    @Test
    public void shrinksForAnArrivalThatNeedsTheResources() {
        JobSnapshot runs = Jobs.small("x")
                .on(on(0, 1, 8))
                .speed(HARDLY_SCALES)
                .remaining(100)
                .snapshot();
        JobSnapshot arrives = Jobs.small("y").unknown().snapshot();
        change(runs, on(0, 1, 8), on(0, 1, 7));
        change(arrives, Placement.NONE, on(0, 1, 1));

        assertThat(kept(Clusters.ofGpus(1, 8), runs, arrives).get("x").planned())
                .isEqualTo(on(0, 1, 7));
    }

    @Test
    public void shrinksIfTheQueuesBudgetIsBelowItsNodes() {
        JobSnapshot job =
                Jobs.small("x").on(on(0, 1, 8)).speed(SCALES).remaining(100).snapshot();
        change(job, on(0, 1, 8), on(0, 1, 5));

        assertThat(kept(Clusters.withBudgetOfGpus(Clusters.ofGpus(1, 8), 5), job)
                        .get("x")
                        .planned())
                .isEqualTo(on(0, 1, 5));
    }

    @Test
    public void shrinksIfTheLimitOfItsUserIsLower() {
        JobSnapshot job =
                Jobs.small("x").on(on(0, 1, 8)).speed(SCALES).remaining(100).snapshot();
        change(job, on(0, 1, 8), on(0, 1, 5));
        PlannedUse limited = new PlannedUse(
                Clusters.ofGpus(1, 8), Map.of("x", "ann"), Map.of("ann", job.resources(new Allocation(1, 5))));

        assertThat(new Kept(ResizeFilter.withoutUnrepaid(limited, List.of(job), old, proposed))
                        .get("x")
                        .planned())
                .isEqualTo(on(0, 1, 5));
    }

    @Test
    public void movesAWorkerBetweenJobsIfOneGainsMuchMoreThanTheOtherLoses() {
        JobSnapshot loses = Jobs.small("x")
                .on(on(0, 1, 7))
                .speed(HARDLY_SCALES)
                .remaining(100)
                .snapshot();
        JobSnapshot gains =
                Jobs.small("y").on(on(0, 1, 1)).speed(SCALES).remaining(100).snapshot();
        change(loses, on(0, 1, 7), on(0, 1, 6));
        change(gains, on(0, 1, 1), on(0, 1, 2));

        Kept kept = kept(Clusters.ofGpus(1, 8), loses, gains);

        assertThat(kept.get("x").planned()).isEqualTo(on(0, 1, 6));
        assertThat(kept.get("y").planned()).isEqualTo(on(0, 1, 2));
    }

    @Test
    public void leavesBothJobsUnchangedIfOneGainsHardlyMoreThanTheOtherLoses() {
        JobSnapshot loses =
                Jobs.small("x").on(on(0, 1, 4)).speed(SCALES).remaining(100).snapshot();
        JobSnapshot gains =
                Jobs.small("y").on(on(0, 1, 4)).speed(SCALES).remaining(172).snapshot();
        change(loses, on(0, 1, 4), on(0, 1, 3));
        change(gains, on(0, 1, 4), on(0, 1, 5));

        Kept kept = kept(Clusters.ofGpus(1, 8), loses, gains);

        assertThat(kept.get("x").planned()).isEqualTo(on(0, 1, 4));
        assertThat(kept.get("y").planned()).isEqualTo(on(0, 1, 4));
        assertThat(kept.get("y").reason())
                .matches(
                        "stays at 1 ps \\+ 4 workers: 1 ps \\+ 5 workers and the resizes of other jobs that go with it would"
                                + " save [0-9.]+ s together, and the resizes and the errors of predictions may cost [0-9.]+ s");
    }

    @Test
    public void doesNotMoveATaskWithoutGain() {
        JobSnapshot job =
                Jobs.small("x").on(on(0, 1, 2)).speed(SCALES).remaining(100).snapshot();
        change(job, on(0, 1, 2), on(1, 1, 2));

        Proposal stays = kept(Clusters.ofGpus(2, 8), job).get("x");

        assertThat(stays.planned()).isEqualTo(on(0, 1, 2));
        assertThat(stays.reason()).isEqualTo("stays at 1 ps + 2 workers: other nodes would not make it faster");
    }

    @Test
    public void movesOffANodeThatIsGone() {
        JobSnapshot job =
                Jobs.small("x").on(on(2, 1, 2)).speed(SCALES).remaining(100).snapshot();
        change(job, on(2, 1, 2), on(1, 1, 2));

        assertThat(kept(Clusters.ofGpus(2, 8), job).get("x").planned()).isEqualTo(on(1, 1, 2));
    }

    private void change(JobSnapshot job, Placement before, Placement after) {
        old.put(job.id(), before);
        proposed.put(job.id(), new Proposal(after, new AllocationReason.Stated("proposed"), false));
    }

    private Kept kept(ClusterSnapshot cluster, JobSnapshot... jobs) {
        return new Kept(ResizeFilter.withoutUnrepaid(
                new PlannedUse(cluster, Map.of(), Map.of()), List.of(jobs), old, proposed));
    }

    private record Kept(Map<String, Proposal> byJob) {
        Proposal get(String job) {
            return Objects.requireNonNull(byJob.get(job), job);
        }
    }
}
