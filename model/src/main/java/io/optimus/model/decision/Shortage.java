package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Collections;
import java.util.SortedMap;

/** Why something has no room. */
public sealed interface Shortage {
    /** What is missing, as a sentence without its full stop. */
    String words();

    /** What the words say. */
    default ReasonKind kind() {
        return ReasonKind.NO_ROOM;
    }

    /** The amounts, by name; empty if nothing was counted. */
    default SortedMap<String, Double> figures() {
        return Collections.emptySortedMap();
    }

    /** Too little of a resource is left within the limits. */
    record OfResource(String resource, long asked, long left) implements Shortage {
        @Override
        public String words() {
            String free = left > 0 ? Words.amount(left, resource) : Words.none(resource);
            return free + (left > 1 ? " are" : " is") + " free, " + asked + (asked == 1 ? " is" : " are") + " needed";
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures()
                    .with("needed." + resource, (double) asked)
                    .with("free." + resource, (double) Math.max(0, left))
                    .all();
        }
    }

    /** The nodes cannot host {@code count} more tasks of that role, whatever is left in sum. */
    record OfNodes(Role role, int count) implements Shortage {
        @Override
        public String words() {
            return count == 1
                    ? "no node has room for one more " + Words.name(role)
                    : "the nodes have no room for " + Words.more(Allocation.NONE.plus(role, count));
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.SCATTERED;
        }
    }
}
