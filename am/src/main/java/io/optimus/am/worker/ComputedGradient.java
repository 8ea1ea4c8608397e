package io.optimus.am.worker;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A gradient that is computed from its end to its beginning. One thread computes, others wait for what they push. */
final class ComputedGradient {
    private final ByteBuffer bytes;
    private int from = Integer.MAX_VALUE;
    private boolean isGivenUp;

    /** A gradient of which nothing is computed yet. */
    ComputedGradient(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** A gradient that is computed. */
    static ComputedGradient whole(ByteBuffer bytes) {
        ComputedGradient gradient = new ComputedGradient(bytes);
        gradient.computedFrom(0);
        return gradient;
    }

    /** The flat vector of little-endian floats. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** The floats from {@code first} on are computed. */
    synchronized void computedFrom(int first) {
        from = Math.min(from, first);
        notifyAll();
    }

    /** The rest will not be computed. */
    synchronized void giveUp() {
        isGivenUp = true;
        notifyAll();
    }

    /** Whether the floats from {@code first} on are computed. */
    synchronized boolean isComputedFrom(int first) {
        return from <= first;
    }

    /**
     * Waits until the floats from {@code first} on are computed.
     *
     * @throws IOException if they will not be
     */
    synchronized void awaitFrom(int first) throws IOException {
        try {
            while (from > first) {
                if (isGivenUp) {
                    throw new IOException("the gradient was not computed to its end");
                }
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
