package io.optimus.am.wire.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.engine.WireFormat;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.Test;

public final class ShardFormatTest {
    /** Floats 10 to 13 and 20 to 26 of the flat vector, of which 10, 11, 12 and 24, 25, 26 are parameters. */
    private static final Ranges SHARD = new Ranges(List.of(new Range(10, 4), new Range(20, 7)));

    private static final Ranges PARAMETERS = new Ranges(List.of(new Range(0, 13), new Range(24, 100)));

    private static final ShardFormat MIXED = ShardFormat.of(WireFormat.BFLOAT16, SHARD, PARAMETERS);

    @Test
    public void writesParametersAsHalves() {
        assertThat(MIXED.isPlain()).isFalse();
        for (int i = 0; i < 11; i++) {
            assertThat(MIXED.isHalf(i)).as("float %d", i).isEqualTo(i < 3 || i >= 8);
        }
        assertThat(MIXED.sameUntil(0, 11)).isEqualTo(3);
        assertThat(MIXED.sameUntil(4, 11)).isEqualTo(8);
        assertThat(MIXED.sameUntil(4, 6)).isEqualTo(6);
        assertThat(MIXED.sameUntil(9, 11)).isEqualTo(11);
        assertThat(MIXED.bytes(0, 11)).isEqualTo(6 * 2 + 5 * 4);
        assertThat(MIXED.words(0, 3)).isEqualTo(2);
        assertThat(MIXED.words(2, 9)).isEqualTo((2 + 5 * 4 + 2) / 4);
        assertThat(MIXED.words()).isEqualTo(8);
        assertThat(MIXED.words(5, 5)).isZero();
    }

    @Test
    public void plainFormatsHaveOneWordAFloat() {
        for (ShardFormat plain : List.of(
                ShardFormat.of(WireFormat.FLOAT32, SHARD, PARAMETERS),
                ShardFormat.of(WireFormat.BFLOAT16, SHARD, Ranges.NONE))) {
            assertThat(plain.isPlain()).isTrue();
            assertThat(plain.words()).isEqualTo(11);
            assertThat(plain.words(3, 9)).isEqualTo(6);
        }
        assertThat(ShardFormat.of(WireFormat.BFLOAT16, Ranges.NONE, PARAMETERS).words())
                .isZero();
    }

    @Test
    public void readsWhatItWrote() {
        FloatBuffer values = FloatBuffer.allocate(11);
        for (int i = 0; i < 11; i++) {
            values.put(i, 1 + i * 0x1p-20f);
        }
        for (int from = 0; from < 11; from++) {
            for (int to = from; to <= 11; to++) {
                ByteBuffer words = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
                words.position(8);
                MIXED.write(from, to, values, from, words);
                assertThat(words.position()).isEqualTo(8 + 4 * MIXED.words(from, to));
                float[] read = new float[11];
                MIXED.read(from, to, words, 8, read, 0);
                for (int i = from; i < to; i++) {
                    assertThat(read[i - from])
                            .as("float %d of [%d, %d)", i, from, to)
                            .isEqualTo(MIXED.isHalf(i) ? 1 : values.get(i));
                }
            }
        }
    }

    /** Each part fills whole words, so that the floats of the next one are not where one long vector would have them. */
    @Test
    public void aPushIsReadAcrossItsParts() {
        int length = ShardChannel.SHORTEST_PART;
        int floats = 2 * length + 5;
        Ranges shard = new Ranges(List.of(new Range(0, floats)));
        Ranges parameters = new Ranges(List.of(new Range(1, length - 3), new Range(length + 7, floats - length - 7)));
        ShardFormat format = ShardFormat.of(WireFormat.BFLOAT16, shard, parameters);
        assertThat(format.bytes(0, length) % 4).isEqualTo(2);
        FloatBuffer values = FloatBuffer.allocate(floats);
        for (int i = 0; i < floats; i++) {
            values.put(i, i % 251);
        }
        ByteBuffer push = ByteBuffer.allocate((2 + format.words()) * 4).order(ByteOrder.LITTLE_ENDIAN);
        push.putFloat(0.5f).putFloat(0.25f);
        for (int part = 0; part < format.parts().count(); part++) {
            int from = format.parts().from(part);
            assertThat(push.position()).isEqualTo((2 + format.wordsBefore(part)) * 4);
            format.write(from, format.parts().to(part), values, from, push);
        }
        assertThat(push.hasRemaining()).isFalse();

        PushedFloats pushed = new PushedFloats(push, format, 2);
        assertThat(pushed.settings()).containsExactly(0.5f, 0.25f);
        float[] all = new float[floats];
        pushed.get(0, floats, all);
        assertThat(all).isEqualTo(values.array());
        float[] some = new float[20];
        pushed.get(2 * length - 10, 15, some);
        for (int i = 0; i < 15; i++) {
            assertThat(some[i]).isEqualTo(values.get(2 * length - 10 + i));
        }
    }
}
