package io.optimus.am.dataset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;

/** Data sets for tests. */
public final class SampleSets {
    private SampleSets() {}

    /** The digits that come with Optimus. */
    public static Dataset digits() {
        try {
            return Datasets.open(Datasets.DIGITS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Noise in which a bright row tells the class: {@code side} by {@code side}, as many classes as fit, at most 10. */
    public static Dataset stripes(int side) {
        int classes = Math.min(10, side);
        return new Dataset(stripes(side, classes, 400, 1), stripes(side, classes, 150, 2), side, side, classes);
    }

    private static Dataset.Samples stripes(int side, int classes, int samples, long seed) {
        Random random = new Random(seed);
        byte[] pixels = new byte[samples * side * side];
        byte[] labels = new byte[samples];
        for (int sample = 0; sample < samples; sample++) {
            labels[sample] = (byte) random.nextInt(classes);
            for (int i = 0; i < side * side; i++) {
                int bright = i / side == labels[sample] * side / classes ? 150 : 0;
                pixels[sample * side * side + i] = (byte) (bright + random.nextInt(100));
            }
        }
        return new Dataset.Samples(pixels, labels, 255);
    }
}
