package io.optimus.am.ps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.Updates;
import io.optimus.am.wire.shards.PushedFloats;
import io.optimus.am.wire.shards.ShardFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
        float[] values = new float[shard.floats()];
        shard.parameters().get(values);
        return values;
    }

    private static StepGradient gradientOf(float... gradient) {
        ByteBuffer bytes = ByteBuffer.allocate(gradient.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(gradient);
        Ranges all = new Ranges(List.of(new Range(0, gradient.length)));
        return new StepGradient.OfOne(new PushedFloats(bytes, ShardFormat.of(WireFormat.FLOAT32, all, Ranges.NONE), 0));
    }

    /** Applies update 1, after which the view that it began with shows the parameters. */
    private static void apply(Shard shard, float[] settings, float... gradient) {
        FloatBuffer updated = shard.begin();
        shard.apply(gradientOf(gradient), 1, settings, 0, shard.floats());
        shard.commit();
        assertThat(updated).isEqualTo(FloatBuffer.wrap(values(shard)));
    }

    @Test
    public void updatesEachGroupWithItsOwnSettings() {
        Shard shard = shard(new Range(0, 5));
        apply(shard, new float[] {0.5f, 0, 2, 0.1f}, 1, 1, 3, 4, 1);
        assertThat(values(shard)).containsExactly(9.5f, 6, 3, 4, 9.5f);
    }

    @Test
    public void updatesWithTheOptimizersSettingsWithoutOthers() {
        Shard shard = shard(new Range(0, 5));
        apply(shard, OWN_SETTINGS, 1, 1, 3, 4, 1);
        assertThat(values(shard)).containsExactly(9, 9, 3, 4, 9);
    }

    @Test
    public void statisticsThatAreInfiniteStay() {
        Shard shard = shard(new Range(0, 5));
        shard.read(new Range(2, 1), FloatBuffer.wrap(new float[] {Float.NEGATIVE_INFINITY}));
        shard.applyInPlace(gradientOf(1, 1, Float.NEGATIVE_INFINITY, 4, 1), 1, OWN_SETTINGS, 0.5f);
        assertThat(values(shard)).containsExactly(9, 9, Float.NEGATIVE_INFINITY, 4, 9);
    }

    @Test
    public void updatesOnlyItsPartOfTheModel() {
        Shard shard = shard(new Range(1, 1), new Range(3, 2));
        apply(shard, new float[] {0.5f, 0, 2, 0}, 1, 4, 1);
        assertThat(values(shard)).containsExactly(8, 4, 9.5f);
    }

    @Test
    public void takesTheStateAndMovesTheStatisticsOfOneOfFourAsynchronousWorkers() {
        Shard shard = shard(new Range(0, 5));
        shard.applyInPlace(gradientOf(1, 1, 14, 4, 1), 1, new float[] {0.5f, 0, 2, 0}, 0.25f);
        assertThat(values(shard)).containsExactly(9.5f, 8, 11, 4, 9.5f);
    }

    /** So large that several threads share the update; the boundaries between them are within blocks. */
    @Test
    public void updatesEachFloatOfALargeShardOnce() {
        int floats = 3_000_001;
        Updates updates = Updates.of(
                new Optimizer.Sgd(1, 0, 0),
                1,
                List.of(
                        ParameterBlock.parameter("a", 1_234_567),
                        ParameterBlock.statistic("mean", 777_777),
                        ParameterBlock.parameter("b", floats - 1_234_567 - 777_777)));
        Shard shard = new Shard(new Ranges(List.of(new Range(0, floats))), updates);
        float[] first = new float[floats];
        float[] gradient = new float[floats];
        float[] expected = new float[floats];
        for (int i = 0; i < floats; i++) {
            first[i] = i % 1000;
            gradient[i] = i % 77;
            boolean statistic = i >= 1_234_567 && i < 1_234_567 + 777_777;
            expected[i] = statistic ? gradient[i] : first[i] - gradient[i];
        }
        shard.read(new Range(0, floats), FloatBuffer.wrap(first));
        apply(shard, OWN_SETTINGS, gradient);
        assertThat(values(shard)).isEqualTo(expected);
    }

    @Test
    public void keepsTheShardWhereTheGradientCannotBeRead() {
        Shard shard = shard(new Range(0, 5));
        assertThatThrownBy(() -> apply(shard, OWN_SETTINGS, 1, 1, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(values(shard)).containsOnly(10);
    }

    @Test
    public void namesTheGroupThatDoesNotExist() {
        assertThatThrownBy(() -> Updates.of(
                        new Optimizer.Sgd(1, 0, 0), 1, List.of(new ParameterBlock("b", List.of(1), Kind.PARAMETER, 1))))
                .hasMessageContaining("parameter group 1");
    }
}
