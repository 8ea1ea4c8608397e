package io.optimus.am.dataset;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/**
 * The hand-written digits that come with Optimus: E. Alpaydin, C. Kaynak, "Optical Recognition of Handwritten Digits",
 * UCI Machine Learning Repository, CC BY 4.0.
 *
 * <p>The file is ordered by writer, so that its last fifth comes from other writers than the rest. Therefore it is shuffled
 * with a fixed seed before its last fifth is held out.
 */
final class Digits {
    private static final String RESOURCE = "digits.csv.gz";
    static final int SIDE = 8;
    static final int CLASSES = 10;
    private static final int BRIGHTEST = 16;
    private static final int HELD_OUT_PERCENT = 20;
    /** Any fixed number; the sequence of java.util.Random is part of Java's specification. */
    private static final long SHUFFLE_SEED = 1797;

    private Digits() {}

    static Dataset load() throws IOException {
        List<String> lines = lines();
        Collections.shuffle(lines, new Random(SHUFFLE_SEED));
        int heldOut = lines.size() * HELD_OUT_PERCENT / 100;
        int training = lines.size() - heldOut;
        return new Dataset(
                parse(lines.subList(0, training)), parse(lines.subList(training, lines.size())), SIDE, SIDE, CLASSES);
    }

    private static List<String> lines() throws IOException {
        InputStream resource = Objects.requireNonNull(
                Digits.class.getResourceAsStream(RESOURCE), "The jar lacks " + RESOURCE + ": build it again");
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(new GZIPInputStream(resource), StandardCharsets.US_ASCII))) {
            return reader.lines().collect(Collectors.toList());
        }
    }

    private static Dataset.Samples parse(List<String> lines) {
        int features = SIDE * SIDE;
        byte[] pixels = new byte[lines.size() * features];
        byte[] labels = new byte[lines.size()];
        for (int sample = 0; sample < labels.length; sample++) {
            String[] values = lines.get(sample).split(",", -1);
            for (int i = 0; i < features; i++) {
                pixels[sample * features + i] = Byte.parseByte(values[i]);
            }
            labels[sample] = Byte.parseByte(values[features]);
        }
        return new Dataset.Samples(pixels, labels, BRIGHTEST);
    }
}
