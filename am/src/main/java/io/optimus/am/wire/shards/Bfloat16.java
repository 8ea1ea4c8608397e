package io.optimus.am.wire.shards;

/** The upper half of a float: its sign, exponent and first 7 bits of mantissa. */
public final class Bfloat16 {
    private static final int LOWER_BITS = Short.SIZE;
    private static final int QUIET = 0x0040;

    private Bfloat16() {}

    /** Returns the nearest bfloat16, of two the even one. Not a number stays that; what is too large becomes infinite. */
    public static short round(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> LOWER_BITS) | QUIET);
        }
        int lastKept = (bits >>> LOWER_BITS) & 1;
        return (short) ((bits + 0x7fff + lastKept) >>> LOWER_BITS);
    }

    /** Returns the float with the same value. */
    public static float value(short half) {
        return Float.intBitsToFloat(half << LOWER_BITS);
    }
}
