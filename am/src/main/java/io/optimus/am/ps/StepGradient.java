package io.optimus.am.ps;

import io.optimus.am.wire.shards.PushedFloats;

/** The gradient of one update of a shard, with the state that came with it. Threads may read different parts at once. */
interface StepGradient {
    /**
     * Reads the mean of the workers' gradients.
     *
     * @param from the first float in the shard
     * @param length the number of floats
     * @param into takes them, from its first element on
     * @param scratch as long as {@code into}; its values are lost
     */
    void mean(int from, int length, float[] into, float[] scratch);

    /** Reads the state of the first worker with samples, as {@link #mean} reads gradients. */
    void state(int from, int length, float[] into);

    /** The gradient of one worker. */
    record OfOne(PushedFloats gradient) implements StepGradient {
        @Override
        public void mean(int from, int length, float[] into, float[] scratch) {
            gradient.get(from, length, into);
        }

        @Override
        public void state(int from, int length, float[] into) {
            gradient.get(from, length, into);
        }
    }
}
