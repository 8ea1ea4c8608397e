package io.optimus.protocol.setting;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that a misspelt word was probably meant to be. */
public final class NearestWord {
    private NearestWord() {}

    /**
     * Returns the word at the smallest edit distance from {@code typed}, ignoring case, if no more than a third of
     * its letters, or two, have to change.
     */
    public static Optional<String> of(String typed, Collection<String> words) {
        int most = Math.max(2, typed.length() / 3);
        return words.stream()
                .filter(word -> distance(typed, word) <= Math.min(most, word.length() - 1))
                .min(Comparator.<String>comparingInt(word -> distance(typed, word))
                        .thenComparingInt(word -> Math.abs(word.length() - typed.length()))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
    private static int distance(String one, String other) {
        String from = one.toLowerCase(Locale.ROOT);
        String to = other.toLowerCase(Locale.ROOT);
        int[][] steps = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : cheapest(steps, from, to, i, j);
            }
        }
        return steps[from.length()][to.length()];
    }

    private static int cheapest(int[][] steps, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int least = Math.min(steps[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
