package io.optimus.yarn.explain;

import io.optimus.model.cluster.Resources;
import java.util.Locale;
import java.util.Optional;

/**
 * What the next tasks of a job have to fit into.
 *
 * @param scope whose limit it is
 * @param name the user's or the queue's name; {@code cluster} for the nodes
 * @param most what training may take in this scope
 * @param left what is free of that now; may be below 0 where a limit was lowered
 * @param lacking the resource of which too little is left for the next tasks; empty if they fit
 */
public record Limit(Scope scope, String name, Resources most, Resources left, Optional<String> lacking) {
    /** Whose limit it is. */
    public enum Scope {
        /** What the tasks of the job's user may take. */
        USER,
        /** What the training jobs of its queue may take. */
        QUEUE,
        /** What the nodes have. */
        NODES;

        /** The word of REST. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A limit that {@code needed} has to fit into. */
    static Limit of(Scope scope, String name, Resources most, Resources left, Resources needed) {
        Optional<String> lacking = needed.amounts().keySet().stream()
                .filter(resource -> needed.amount(resource) > left.amount(resource))
                .findFirst();
        return new Limit(scope, name, most, left, lacking);
    }

    /** Whether it keeps the job from its next tasks. */
    public boolean isReached() {
        return lacking.isPresent();
    }
}
