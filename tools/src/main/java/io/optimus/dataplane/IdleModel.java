package io.optimus.dataplane;

import java.util.List;

/**
 * A model of which workers compute nothing.
 *
 * @param floats of its parameters
 * @param stepMillis how long a worker sleeps in each step, in place of a GPU that computes; it knows the loss after a third of that
 * @param overlaps whether it tells of its gradient piece by piece meanwhile, as a model with layers of equal size would
 */
record IdleModel(int floats, long stepMillis, boolean overlaps) {
    /** A model without any computing. */
    static IdleModel of(int floats) {
        return new IdleModel(floats, 0, false);
    }

    /** Returns what {@link #words} returned. */
    static IdleModel of(String[] words) {
        return new IdleModel(Integer.parseInt(words[0]), Long.parseLong(words[1]), Boolean.parseBoolean(words[2]));
    }

    /** The model as arguments of a program. */
    List<String> words() {
        return List.of(String.valueOf(floats), String.valueOf(stepMillis), String.valueOf(overlaps));
    }
}
