package io.optimus.am.engine;

/** The numbers in which gradients and parameters go between workers and parameter servers. */
public enum WireFormat {
    /** As they are computed. */
    FLOAT32,
    /**
     * The upper half of a float: its sign, exponent and first 7 bits of mantissa. What rounding takes from a gradient is added to the
     * next one. Statistics and state of a program go as floats.
     */
    BFLOAT16;

    /** Whether what arrives may differ from what was sent. */
    public boolean rounds() {
        return this != FLOAT32;
    }
}
