package io.optimus.am.wire.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.Test;

public final class Bfloat16Test {
    private static float rounded(float value) {
        return Bfloat16.value(Bfloat16.round(value));
    }

    @Test
    public void everyHalfIsItself() {
        for (int half = Short.MIN_VALUE; half <= Short.MAX_VALUE; half++) {
            float value = Bfloat16.value((short) half);
            if (!Float.isNaN(value)) {
                assertThat(Bfloat16.round(value)).isEqualTo((short) half);
            }
        }
    }

    @Test
    public void roundsToTheNearestAndTiesToEven() {
        assertThat(rounded(1 + 0x1p-9f)).isEqualTo(1);
        assertThat(rounded(1 + 0x1p-8f)).isEqualTo(1);
        assertThat(rounded(1 + 0x1p-8f + 0x1p-20f)).isEqualTo(1 + 0x1p-7f);
        assertThat(rounded(1 + 3 * 0x1p-8f)).isEqualTo(1 + 0x1p-6f);
        assertThat(rounded(-1 - 3 * 0x1p-8f)).isEqualTo(-1 - 0x1p-6f);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (Float.isFinite(value) && Float.isFinite(rounded(value))) {
                double unit = Math.max(Math.ulp(value) * 65_536.0, Float.MIN_VALUE * 65_536.0);
                assertThat(Math.abs((double) rounded(value) - value)).isLessThanOrEqualTo(unit / 2);
            }
        }
    }

    @Test
    public void keepsWhatIsNotFinite() {
        assertThat(rounded(Float.NaN)).isNaN();
        assertThat(rounded(Float.intBitsToFloat(0x7f80_0001))).isNaN();
        assertThat(rounded(Float.POSITIVE_INFINITY)).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(rounded(Float.NEGATIVE_INFINITY)).isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(rounded(Float.MAX_VALUE)).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(Float.floatToRawIntBits(rounded(-0f))).isEqualTo(Float.floatToRawIntBits(-0f));
    }
}
