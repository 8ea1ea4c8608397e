package io.optimus.model.decision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The reason for a job's part of a plan, for its owner.
 *
 * @param parts the reason of its policy, then what else matters: nodes, limits, orders
 */
public record Explanation(List<Reason> parts) {
    /** Nothing was decided. */
    public static final Explanation NONE = new Explanation(List.of());

    public Explanation {
        parts = List.copyOf(parts);
    }

    public static Explanation of(Reason... parts) {
        return new Explanation(List.of(parts));
    }

    /** The same with {@code more}, in place of a part that says the same of another moment. */
    public Explanation and(Reason more) {
        List<Reason> all = new ArrayList<>(parts);
        all.removeIf(part -> part.getClass().equals(more.getClass()));
        all.add(more);
        return new Explanation(all);
    }

    /** Only what belongs to the decision itself: the rest depends on the moment. */
    public Explanation decision() {
        return new Explanation(parts.stream().filter(Reason::isOfDecision).toList());
    }

    /** What happens to the job and why. */
    public String sentence() {
        return parts.stream().map(Reason::sentence).collect(Collectors.joining("; "));
    }

    /** What the sentence says, as words for programs; the most important one first, and each once. */
    public List<ReasonKind> kinds() {
        LinkedHashSet<ReasonKind> kinds = new LinkedHashSet<>();
        parts.forEach(part -> kinds.addAll(part.kinds()));
        return List.copyOf(kinds);
    }

    /** The figures behind the sentence, finite, by name with their unit, such as {@code secondsSaved}. */
    public SortedMap<String, Double> figures() {
        SortedMap<String, Double> figures = new TreeMap<>();
        parts.forEach(part -> figures.putAll(part.figures()));
        return Collections.unmodifiableSortedMap(figures);
    }
}
