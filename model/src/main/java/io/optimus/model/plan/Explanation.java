package io.optimus.model.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The reason for a job's part of a plan, for its owner.
 *
 * @param sentence what happens to the job and why
 * @param figures the figures behind the sentence, finite, by name with their unit, such as {@code secondsSaved}
 */
public record Explanation(String sentence, SortedMap<String, Double> figures) {
    public Explanation {
        figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
    }

    public static Explanation of(String sentence) {
        return new Explanation(sentence, Collections.emptySortedMap());
    }

    /** The same with one more sentence, once. */
    public Explanation and(String more) {
        return (sentence + "; ").contains("; " + more + "; ") ? this : new Explanation(sentence + "; " + more, figures);
    }
}
