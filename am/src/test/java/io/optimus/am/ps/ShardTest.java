package io.optimus.am.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.Updates;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.Test;

/** A model of one float in each of two parameter groups, a statistic, state, and one more float of the first group. */
public final class ShardTest {
    private static final float[] OWN_SETTINGS = {};
    private static final Updates UPDATES = Updates.of(
            new Optimizer.Sgd(1, 0, 0),
            2,
            List.of(
                    ParameterBlock.parameter("a", 1),
                    new ParameterBlock("b", List.of(1), Kind.PARAMETER, 1),
                    ParameterBlock.statistic("mean", 1),
                    new ParameterBlock("state", List.of(1), Kind.STATE, 0),
                    ParameterBlock.parameter("c", 1)));

    private static Shard shard(Range... ranges) {
        Shard shard = new Shard(Ranges.of(List.of(ranges)), UPDATES);
        for (Range range : ranges) {
            float[] tens = new float[range.length()];
            java.util.Arrays.fill(tens, 10);
            shard.read(range, FloatBuffer.wrap(tens));
        }
        return shard;
    }

    private static float[] values(Shard shard) {
        FloatBuffer values = FloatBuffer.allocate(shard.floats());
        shard.parametersInto(values);
        return values.array();
    }

    @Test
    public void updatesEachGroupWithItsOwnSettings() {
        Shard shard = shard(new Range(0, 5));
        shard.apply(new float[] {1, 1, 3, 4, 1}, 1, new float[] {0.5f, 0, 2, 0.1f});
        assertThat(values(shard)).containsExactly(9.5f, 6, 3, 4, 9.5f);
    }

    @Test
    public void updatesWithTheOptimizersSettingsWithoutOthers() {
        Shard shard = shard(new Range(0, 5));
        shard.apply(new float[] {1, 1, 3, 4, 1}, 1, OWN_SETTINGS);
        assertThat(values(shard)).containsExactly(9, 9, 3, 4, 9);
    }

    @Test
    public void updatesOnlyItsPartOfTheModel() {
        Shard shard = shard(new Range(1, 1), new Range(3, 2));
        shard.apply(new float[] {1, 4, 1}, 1, new float[] {0.5f, 0, 2, 0});
        assertThat(values(shard)).containsExactly(8, 4, 9.5f);
    }

    @Test
    public void takesTheStateAndMovesTheStatisticsOfOneOfFourAsynchronousWorkers() {
        Shard shard = shard(new Range(0, 5));
        shard.applyInPlace(new float[] {1, 1, 14, 4, 1}, 1, new float[] {0.5f, 0, 2, 0}, 0.25f);
        assertThat(values(shard)).containsExactly(9.5f, 8, 11, 4, 9.5f);
    }

    @Test
    public void namesTheGroupThatDoesNotExist() {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> Updates.of(
                        new Optimizer.Sgd(1, 0, 0), 1, List.of(new ParameterBlock("b", List.of(1), Kind.PARAMETER, 1))))
                .hasMessageContaining("parameter group 1");
    }
}
