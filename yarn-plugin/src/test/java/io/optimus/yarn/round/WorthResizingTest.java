package io.optimus.yarn.round;

import static io.optimus.yarn.round.SnapshotOf.job;
import static io.optimus.yarn.round.SnapshotOf.on;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.placement.Placement;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.Test;

public final class WorthResizingTest {
    /** 10 s a step on one worker, 5 s on two, ...: every worker is worth much. */
    private static final SynchronousSpeed SCALES = new SynchronousSpeed(1, 10, 0, 0, 0, 0);
    /** 10.1 s a step on one worker, 10.05 s on two. */
    private static final SynchronousSpeed HARDLY_SCALES = new SynchronousSpeed(1, .1, 10, 0, 0, 0);

    private final Map<String, Placement> old = new HashMap<>();
    private final Map<String, Proposal> proposed = new HashMap<>();

    @Test
    public void growsWhereThatSavesMoreThanTheResizeCosts() {
        JobSnapshot job = job("x", on("a:1", 1, 1), SCALES, 100);
        change(job, on("a:1", 1, 1), on("a:1", 1, 2));

        assertThat(kept(SnapshotOf.cluster(1, 8, 8), job).get("x").planned()).isEqualTo(on("a:1", 1, 2));
    }

    @Test
    public void staysWhereGrowthDoesNotRepayTheResize() {
        JobSnapshot job = job("x", on("a:1", 1, 1), HARDLY_SCALES, 10);
        change(job, on("a:1", 1, 1), on("a:1", 1, 2));

        Proposal stays = kept(SnapshotOf.cluster(1, 8, 8), job).get("x");

        assertThat(stays.planned()).isEqualTo(on("a:1", 1, 1));
        assertThat(stays.reason()).contains("would not repay its cost of 1.0 s");
    }

    @Test
    public void doesNotShrinkForNobody() {
        JobSnapshot job = job("x", on("a:1", 1, 4), SCALES, 100);
        change(job, on("a:1", 1, 4), on("a:1", 1, 3));

        Proposal stays = kept(SnapshotOf.cluster(1, 8, 8), job).get("x");

        assertThat(stays.planned()).isEqualTo(on("a:1", 1, 4));
        assertThat(stays.reason()).contains("would free what nobody needs");
    }

    @Test
    public void shrinksWhereTheSmallerSizeIsFaster() {
        // Each worker costs a second.
        JobSnapshot job = job("x", on("a:1", 1, 4), new SynchronousSpeed(1, 1, 1, 0, 1, 0), 100);
        change(job, on("a:1", 1, 4), on("a:1", 1, 1));

        assertThat(kept(SnapshotOf.cluster(1, 8, 8), job).get("x").planned()).isEqualTo(on("a:1", 1, 1));
    }

    @Test
    public void shrinksForAnArrivalThatNeedsTheRoom() {
        JobSnapshot runs = job("x", on("a:1", 1, 8), HARDLY_SCALES, 100);
        JobSnapshot arrives = job("y", Placement.NONE, Optional.empty(), OptionalDouble.empty());
        change(runs, on("a:1", 1, 8), on("a:1", 1, 7));
        change(arrives, Placement.NONE, on("a:1", 1, 1));

        assertThat(kept(SnapshotOf.cluster(1, 8, 8), runs, arrives).get("x").planned())
                .isEqualTo(on("a:1", 1, 7));
    }

    @Test
    public void shrinksWhereTheQueueMayTakeLessThanItsNodesHave() {
        JobSnapshot job = job("x", on("a:1", 1, 8), SCALES, 100);
        change(job, on("a:1", 1, 8), on("a:1", 1, 5));

        assertThat(kept(SnapshotOf.cluster(1, 8, 5), job).get("x").planned()).isEqualTo(on("a:1", 1, 5));
    }

    @Test
    public void shrinksWhereItsUserMayTakeLess() {
        JobSnapshot job = job("x", on("a:1", 1, 8), SCALES, 100);
        change(job, on("a:1", 1, 8), on("a:1", 1, 5));
        PlannedUse limited = new PlannedUse(
                SnapshotOf.cluster(1, 8, 8), Map.of("x", "ann"), Map.of("ann", job.resources(new Allocation(1, 5))));

        assertThat(new Kept(WorthResizing.keepOldWhere(limited, List.of(job), old, proposed))
                        .get("x")
                        .planned())
                .isEqualTo(on("a:1", 1, 5));
    }

    @Test
    public void handsAWorkerOverWhereOneGainsMuchMoreThanTheOtherLoses() {
        JobSnapshot loses = job("x", on("a:1", 1, 7), HARDLY_SCALES, 100);
        JobSnapshot gains = job("y", on("a:1", 1, 1), SCALES, 100);
        change(loses, on("a:1", 1, 7), on("a:1", 1, 6));
        change(gains, on("a:1", 1, 1), on("a:1", 1, 2));

        Kept kept = kept(SnapshotOf.cluster(1, 8, 8), loses, gains);

        assertThat(kept.get("x").planned()).isEqualTo(on("a:1", 1, 6));
        assertThat(kept.get("y").planned()).isEqualTo(on("a:1", 1, 2));
    }

    @Test
    public void leavesBothAloneWhereOneGainsHardlyMoreThanTheOtherLoses() {
        JobSnapshot loses = job("x", on("a:1", 1, 4), SCALES, 100);
        JobSnapshot gains = job("y", on("a:1", 1, 4), SCALES, 172);
        change(loses, on("a:1", 1, 4), on("a:1", 1, 3));
        change(gains, on("a:1", 1, 4), on("a:1", 1, 5));

        Kept kept = kept(SnapshotOf.cluster(1, 8, 8), loses, gains);

        assertThat(kept.get("x").planned()).isEqualTo(on("a:1", 1, 4));
        assertThat(kept.get("y").planned()).isEqualTo(on("a:1", 1, 4));
        assertThat(kept.get("y").reason()).contains("than predictions can tell");
    }

    @Test
    public void doesNotMoveATaskForNothing() {
        JobSnapshot job = job("x", on("a:1", 1, 2), SCALES, 100);
        change(job, on("a:1", 1, 2), on("b:1", 1, 2));

        assertThat(kept(SnapshotOf.cluster(2, 8, 16), job).get("x").planned()).isEqualTo(on("a:1", 1, 2));
    }

    @Test
    public void movesOffANodeThatIsGone() {
        JobSnapshot job = job("x", on("c:1", 1, 2), SCALES, 100);
        change(job, on("c:1", 1, 2), on("b:1", 1, 2));

        assertThat(kept(SnapshotOf.cluster(2, 8, 16), job).get("x").planned()).isEqualTo(on("b:1", 1, 2));
    }

    private void change(JobSnapshot job, Placement before, Placement after) {
        old.put(job.id(), before);
        proposed.put(job.id(), new Proposal(after, "proposed", false));
    }

    private Kept kept(ClusterSnapshot cluster, JobSnapshot... jobs) {
        return new Kept(
                WorthResizing.keepOldWhere(new PlannedUse(cluster, Map.of(), Map.of()), List.of(jobs), old, proposed));
    }

    private record Kept(Map<String, Proposal> byJob) {
        Proposal get(String job) {
            return Objects.requireNonNull(byJob.get(job), job);
        }
    }
}
