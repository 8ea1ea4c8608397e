package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.shards.ShardFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.Test;

public final class WireEncodingTest {
    /** More than one piece, of which the end is a statistic. */
    private static final int PARAMETERS = 5_001;

    private static final int STATISTICS = 3;
    private static final int FLOATS = PARAMETERS + STATISTICS;
    /** More than there is memory for. */
    private static final int OPTIMIZER = 500_000_000;

    private static final Ranges SHARD = new Ranges(List.of(new Range(0, 100), new Range(200, FLOATS - 200)));

    private final WireEncoding encoding = new WireEncoding(
            WireFormat.BFLOAT16,
            List.of(
                    ParameterBlock.parameter("weights", PARAMETERS),
                    ParameterBlock.statistic("mean", STATISTICS),
                    new ParameterBlock("moments", List.of(OPTIMIZER), Kind.OPTIMIZER, 0)));
    private final ShardFormat layout = encoding.of(SHARD);
    private final ByteBuffer flat = vector();

    private static ByteBuffer vector() {
        return ByteBuffer.allocateDirect(FLOATS * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void fill(float value) {
        for (int i = 0; i < FLOATS; i++) {
            flat.putFloat(i * Float.BYTES, value);
        }
    }

    /** Sends the shard of the flat vector, and returns what arrives, in its place in the flat vector. */
    private ByteBuffer arrived(boolean counts) {
        int floats = SHARD.floats();
        ByteBuffer words =
                ByteBuffer.allocate(layout.words(0, floats) * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        encoding.write(flat, SHARD, layout, 0, floats, counts, words);
        assertThat(words.hasRemaining()).isFalse();
        ByteBuffer there = vector();
        encoding.read(words, SHARD, layout, 0, floats, there);
        return there;
    }

    private static float at(ByteBuffer vector, int index) {
        return vector.getFloat(index * Float.BYTES);
    }

    @Test
    public void whatRoundingTakesIsAddedToTheNextGradient() {
        fill(1 + 0x1p-9f);
        double sum = 0;
        for (int step = 1; step <= 40; step++) {
            ByteBuffer there = arrived(true);
            sum += at(there, PARAMETERS - 1);
            assertThat(sum).as("after step %d", step).isCloseTo(step * (1 + 0x1p-9), within(0x1p-8));
            assertThat(at(there, FLOATS - 1)).isEqualTo(1 + 0x1p-9f);
            assertThat(at(there, 99)).isEqualTo(at(there, 200)).isEqualTo(at(there, PARAMETERS - 1));
            assertThat(at(there, 150)).as("of another server").isZero();
        }
    }

    @Test
    public void aGradientThatDoesNotCountLeavesTheErrorForTheNext() {
        fill(1 + 0x1p-8f);
        assertThat(at(arrived(true), 0)).isEqualTo(1);
        fill(0);
        assertThat(at(arrived(false), 0)).isZero();
        assertThat(at(arrived(true), 0)).isEqualTo(0x1p-8f);
    }

    @Test
    public void errorsAreForgotten() {
        fill(1 + 0x1p-8f);
        arrived(true);
        encoding.forgetErrors();
        assertThat(at(arrived(true), 0)).isEqualTo(1);
    }

    @Test
    public void oneInfiniteGradientDoesNotSpoilTheNext() {
        fill(Float.POSITIVE_INFINITY);
        assertThat(at(arrived(true), 0)).isInfinite();
        fill(2);
        assertThat(at(arrived(true), 0)).isEqualTo(2);
    }
}
