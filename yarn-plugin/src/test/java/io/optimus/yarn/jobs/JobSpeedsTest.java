package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.speed.MeasuredSize;
import io.optimus.model.speed.SpeedSample;
import io.optimus.yarn.validation.ReportValidator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.Test;

public final class JobSpeedsTest {
    private static final RoleDemand WORKERS = new RoleDemand(Resources.of(1024, 1, 1), 1, 8);
    private static final Placement FAST = Placement.of(Map.of("fast:1", Jobs.size(1, 2)));
    private static final Placement SLOW = Placement.of(Map.of("slow:1", Jobs.size(1, 2)));

    private final GpuSpeeds gpus = node -> node.equals("fast:1") ? 2.5 : 1;
    private final JobSpeeds speeds = new JobSpeeds(16, new JobDemand(WORKERS, WORKERS), gpus);

    @Test
    public void normalisesSpeedsToGpusOfSpeedOne() {
        take(measuredOn("fast:1", Jobs.size(1, 2), 1, 10), SLOW, SLOW);

        assertThat(kept()).containsExactly(tuple(Jobs.size(1, 2), 1, 4.0));
    }

    @Test
    public void keepsAllNodesThatASampleWasMeasuredOn() {
        take(measuredOn("fast:1", Jobs.size(1, 2), 3, 10), Placement.NONE, Placement.NONE);

        assertThat(kept()).containsExactly(tuple(Jobs.size(1, 2), 3, 4.0));
    }

    @Test
    public void assignsASampleWithoutNodesToThePresentMembers() {
        take(measured(Jobs.size(1, 2), 10), FAST, SLOW);

        assertThat(kept()).containsExactly(tuple(Jobs.size(1, 2), 1, 4.0));
    }

    @Test
    public void assignsASampleWithoutNodesToEarlierMembersOfTheSameSize() {
        Placement now = Placement.of(Map.of("slow:1", Jobs.size(1, 3)));
        Placement before = Placement.of(Map.of("fast:1", Jobs.size(0, 2), "fast:2", Jobs.size(1, 0)));

        take(measured(Jobs.size(1, 2), 10), now, before);

        assertThat(kept()).containsExactly(tuple(Jobs.size(1, 2), 2, 4.0));
    }

    @Test
    public void keepsASampleUnchangedIfItMatchesNoMembers() {
        take(measured(Jobs.size(1, 3), 10), FAST, FAST);

        assertThat(kept()).containsExactly(tuple(Jobs.size(1, 3), 1, 10.0));
    }

    @Test
    public void knowsWhetherASizeIsNew() {
        assertThat(take(measured(Jobs.size(1, 2), 10), SLOW, SLOW)).isTrue();
        assertThat(take(measured(Jobs.size(1, 2), 11), SLOW, SLOW)).isFalse();
        assertThat(take(measured(Jobs.size(1, 1), 6), SLOW, SLOW)).isTrue();
    }

    private boolean take(ReportValidator.ReportedSpeed speed, Placement members, Placement membersBefore) {
        return speeds.take(List.of(speed), members, membersBefore);
    }

    private List<Tuple> kept() {
        return speeds.sizes(size -> true).sizes().stream()
                .map(JobSpeedsTest::inShort)
                .toList();
    }

    private static Tuple inShort(MeasuredSize size) {
        return tuple(size.allocation(), size.nodes(), size.stepsPerSecond());
    }

    private static ReportValidator.ReportedSpeed measured(Allocation size, double stepsPerSecond) {
        return new ReportValidator.ReportedSpeed(new SpeedSample(size, 1, stepsPerSecond, 10), Optional.empty());
    }

    private static ReportValidator.ReportedSpeed measuredOn(
            String node, Allocation size, int nodes, double stepsPerSecond) {
        return new ReportValidator.ReportedSpeed(new SpeedSample(size, nodes, stepsPerSecond, 10), Optional.of(node));
    }
}
