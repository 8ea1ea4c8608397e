package io.optimus.model.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationReason.Explores;
import io.optimus.model.decision.AllocationReason.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.Test;

/** The sentences of docs/reasons.md are what jobs say. */
public final class DocumentedReasonsTest {
    private static final Allocation TWO = new Allocation(1, 2);
    private static final Allocation FOUR = new Allocation(1, 4);
    private static final Allocation NINE = new Allocation(1, 9);

    private static SizeChange change(Allocation from, Allocation to) {
        return new SizeChange(from, to, new Allocation(0, 1), true, OptionalDouble.empty());
    }

    private static Allocation workers(int count) {
        return new Allocation(0, count);
    }

    @Test
    public void areInTheTable() throws IOException {
        String table = Files.readString(Path.of("..", "docs", "reasons.md"));
        SizeChange grows = change(workers(2), workers(4));
        List<AllocationReason> reasons = List.of(
                new Waits(Allocation.NONE, TWO, new Shortage.OfResource(Resources.GPUS, 2, 0)),
                new WaitReason(Allocation.NONE, FOUR, FOUR, new WaitReason.Behind("application_1_7")),
                new TurnReason(change(Allocation.NONE, FOUR), FOUR, FOUR, Optional.empty()),
                new TurnReason(change(Allocation.NONE, FOUR), FOUR, NINE, Optional.empty()),
                new TurnReason(
                        new SizeChange(TWO, TWO, new Allocation(1, 1), false, OptionalDouble.empty()),
                        FOUR,
                        FOUR,
                        Optional.empty()),
                new GuaranteeReason(change(TWO, TWO), new GuaranteeReason.MeasuredFirst()),
                new GuaranteeReason(change(workers(2), workers(2)), new GuaranteeReason.Owed(10, 20)),
                new GuaranteeReason(change(workers(2), workers(2)), new GuaranteeReason.EndsSoon(20, 30)),
                new Explores(FOUR),
                new GoodputReason(
                        change(workers(8), workers(4)),
                        1,
                        new GoodputReason.Equal(),
                        new GoodputReason.WorthMoreElsewhere(workers(5), 1.2, Optional.empty())),
                new GoodputReason(
                        change(workers(4), workers(4)),
                        1,
                        new GoodputReason.Equal(),
                        new GoodputReason.WorthMoreElsewhere(
                                workers(5), 1.2, Optional.of(new GoodputReason.Bid("application_1_7", 0.4, 0.3)))),
                new GoodputReason(
                        change(workers(4), Allocation.NONE),
                        1,
                        new GoodputReason.Equal(),
                        new GoodputReason.Outweighed(Optional.of(new GoodputReason.Bid("application_1_7", 0.4, 0.3)))),
                new GoodputReason(
                        change(workers(4), workers(4)),
                        1,
                        new GoodputReason.Equal(),
                        new GoodputReason.NotReleased(workers(8), 1.5, new Shortage.OfResource(Resources.GPUS, 4, 0))),
                new GoodputReason(
                        change(workers(4), workers(4)), 1, new GoodputReason.Equal(), new GoodputReason.NoMoreRoom()),
                new GoodputReason(
                        change(workers(4), workers(4)),
                        1,
                        new GoodputReason.Equal(),
                        new GoodputReason.LostInPause(workers(5), 1.2)),
                new GoodputReason(
                        change(Allocation.NONE, workers(8)),
                        1,
                        new GoodputReason.Equal(),
                        new GoodputReason.Ramp(4, workers(2))),
                new BundleReason(
                        change(Allocation.NONE, workers(3)),
                        new BundleReason.Kept(),
                        Optional.of(
                                new BundleReason.NoRoom(workers(1), new Shortage.OfResource(Resources.VCORES, 1, 0)))),
                new ConfigurationReason(grows, OptionalDouble.of(2)),
                new SearchReason(grows, OptionalDouble.of(2)),
                new UtilityReason(change(Allocation.NONE, workers(1)), workers(4), 10, 1));

        assertThat(reasons).allSatisfy(reason -> assertThat(table).contains("| `" + reason.sentence() + "` |"));
    }

    @Test
    public void saysTimesInReadableUnits() {
        assertThat(Words.seconds(180)).isEqualTo("180 s");
        assertThat(Words.seconds(1200)).isEqualTo("20 min");
        assertThat(Words.seconds(-90_000)).isEqualTo("-25 h");
        assertThat(Words.seconds(Double.NaN)).isEqualTo("an unknown time");
    }
}
