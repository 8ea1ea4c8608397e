package io.optimus.model.decision;

import io.optimus.model.Role;

/** What is missing. */
public sealed interface Shortage {
    /** As the end of a sentence about what has no room; {@code more} goes before what is asked for. */
    String words(String more);

    /** Too little of a resource is left within the limits. */
    record OfResource(String resource, long asked, long left) implements Shortage {
        @Override
        public String words(String more) {
            return asked + " " + more + resource + " needed, " + Math.max(0, left) + " left";
        }
    }

    /** The nodes cannot host more tasks of that shape, whatever is left in sum. */
    record OfNodes(Role role) implements Shortage {
        @Override
        public String words(String more) {
            return "no node can take one more " + Words.name(role);
        }
    }
}
