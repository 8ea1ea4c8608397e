package io.optimus.model.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Holds each row of the table of kinds in docs/reasons.md against a reason of that kind. */
@RunWith(Parameterized.class)
public final class ReasonKindTest {
    private static final Allocation TWO = new Allocation(1, 2);
    private static final Allocation FOUR = new Allocation(1, 4);
    private static final Shortage NO_GPU = new Shortage.OfResource(Resources.GPUS, 2, 0);

    @Parameter
    public ReasonKind kind = ReasonKind.NO_ROOM;

    @Parameters(name = "{0}")
    public static List<ReasonKind> kinds() {
        return List.of(ReasonKind.values());
    }

    private static SizeChange change(Allocation from, Allocation to, boolean mayShrink) {
        return new SizeChange(from, to, workers(1), mayShrink, OptionalDouble.empty());
    }

    private static SizeChange change(Allocation from, Allocation to) {
        return change(from, to, true);
    }

    private static Allocation workers(int count) {
        return new Allocation(0, count);
    }

    private static GoodputReason goodput(SizeChange change, GoodputReason.End end) {
        return new GoodputReason(change, 1, new GoodputReason.Equal(), end);
    }

    private static MarginalGainReason grown(SizeChange change, GrowthEnd end) {
        return new MarginalGainReason(change, Optional.empty(), end, OptionalDouble.empty());
    }

    /** A reason of that kind, as a job has it. */
    private static Reason example(ReasonKind kind) {
        return switch (kind) {
            case NO_ROOM -> new AllocationReason.Waits(Allocation.NONE, TWO, NO_GPU);
            case SCATTERED -> new PlacementReason.Waits(TWO);
            case OUTBID -> grown(
                    change(TWO, TWO),
                    new GrowthEnd.NoRoom(
                            workers(1),
                            40,
                            NO_GPU,
                            Optional.of(new MarginalGainReason.Compared("application_1_7", 4.5, 180))));
            case COMES_LATER -> new WaitReason(Allocation.NONE, FOUR, FOUR, new WaitReason.Behind("application_1_7"));
            case AT_MAXIMUM -> grown(change(TWO, FOUR), new GrowthEnd.AtMaximum());
            case NO_GAIN -> grown(change(TWO, TWO), new GrowthEnd.NoGain(Optional.empty()));
            case NOT_MEASURED -> new GuaranteeReason(change(TWO, TWO), new GuaranteeReason.MeasuredFirst());
            case EXPLORES -> new AllocationReason.Explores(FOUR);
            case GROWS_IN_STEPS -> goodput(change(Allocation.NONE, workers(8)), new GoodputReason.Ramp(4, workers(2)));
            case MAY_NOT_SHRINK -> new LimitReason.KeepsTasks(workers(8));
            case SHRUNK -> goodput(
                    change(workers(8), workers(4)),
                    new GoodputReason.WorthMoreElsewhere(workers(5), 1.2, Optional.empty()));
            case RESIZE_COST -> new ResizeReason(TWO, new ResizeReason.NotRepaid(new Allocation(1, 3), 3, 5, true));
            case NOT_NEEDED -> new ResizeReason(FOUR, new ResizeReason.NobodyElse(Allocation.NONE));
            case GUARANTEED_SHARE -> new GuaranteeReason(
                    change(workers(2), workers(2)), new GuaranteeReason.Owed(10, 20));
            case AS_ASKED -> new TurnReason(change(Allocation.NONE, FOUR), FOUR, FOUR, Optional.empty());
            case ASKS_TOO_MUCH -> new TurnReason(
                    change(Allocation.NONE, FOUR), FOUR, new Allocation(1, 9), Optional.empty());
            case BEST_FOR_ALL -> new ConfigurationReason(change(workers(2), workers(4)), OptionalDouble.of(2));
            case USER_LIMIT -> new AllocationReason.WithinUsersLimit(
                    new AllocationReason.Waits(Allocation.NONE, TWO, NO_GPU), "ann", 4, Resources.GPUS);
            case QUEUE_LIMIT -> new LimitReason.OfQueue("root.research", Resources.GPUS, 4, 6);
            case JOBS_PER_USER -> new AllocationReason.AfterCountedJobs(
                    new AllocationReason.Waits(Allocation.NONE, TWO, NO_GPU), "ann", 4);
            case QUEUE_TERMS -> new SchedulerReason.QueueKeepsFor(600);
            case AWAITS_GUARANTEE -> new SchedulerReason.AskedOfYarn(workers(8));
            case GPU_TYPE -> new GpuTypeReason.NoSuchNode(new TreeSet<>(Set.of("a100", "v100")));
            case PLACED -> new PlacementReason.EvenSplit(2);
            case FIXED_SIZE -> new SchedulerReason.SizeFixed(TWO);
            case DRAINED -> new SchedulerReason.QueueDrained("root.research");
            case NODE_LOST -> new SchedulerReason.NodeLost("gpu07:8041", TWO);
            case FIRST_PLAN -> new SchedulerReason.FirstPlan();
            case RESTARTED -> new SchedulerReason.KeptAfterRestart(2);
            case ENDED -> new SchedulerReason.Ended();
            case ADVICE -> new SchedulerReason.OnlyAdvice();
        };
    }

    @Test
    public void isInTheTableWithAnExampleAndItsRemedy() throws IOException {
        List<String> table = Files.readAllLines(Path.of("..", "docs", "reasons.md"));
        Reason example = example(kind);

        assertThat(example.kinds()).contains(kind);
        assertThat(table).contains("| `" + kind.word() + "` | `" + example.sentence() + "` | " + kind.remedy() + " |");
    }

    @Test
    public void standsInTheTableOnceAndNothingElseDoes() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "reasons.md")).stream()
                .filter(line -> line.matches("\\| `[a-z-]+` \\|.*"))
                .map(line -> line.replaceAll("^\\| `([a-z-]+)` .*", "$1"))
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(
                        kinds().stream().map(ReasonKind::word).collect(Collectors.toList()));
    }
}
