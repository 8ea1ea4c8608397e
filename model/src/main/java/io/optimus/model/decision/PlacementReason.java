package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;

/** Why the tasks of a job are where they are, to be read after the policy's reason. */
public sealed interface PlacementReason extends Reason {
    @Override
    default List<ReasonKind> kinds() {
        return List.of(ReasonKind.PLACED);
    }

    /** Whether the job waits although the policy gave it tasks. */
    default boolean waits() {
        return false;
    }

    /** The policy gave the job no tasks. */
    record NothingToPlace() implements PlacementReason {
        @Override
        public String sentence() {
            return "has no tasks to place";
        }
    }

    /** The policy searched sizes and placements together. */
    record Named(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "on " + PlacementReason.count(nodes) + ", chosen together with its size";
        }
    }

    /** All its tasks run there already. */
    record Stays(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "its tasks stay where they are, on " + PlacementReason.count(nodes);
        }
    }

    /** An even split over the fewest nodes that hold one. */
    record EvenSplit(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return nodes == 1
                    ? "all tasks on 1 node"
                    : "split evenly over " + PlacementReason.count(nodes) + ", the fewest that allow an even split";
        }
    }

    /** Its running tasks stay; the new ones went to as few further nodes as possible. */
    record AddedTo(Allocation running, int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "its running " + running + " stay where they are; with the new tasks it is on "
                    + PlacementReason.count(nodes);
        }
    }

    /** No even split has room: the tasks are as even as the room on the fewest nodes allows. */
    record UnevenSplit(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return nodes == 1
                    ? "all tasks on 1 node"
                    : "spread over " + nodes + " nodes as evenly as their room allows";
        }
    }

    /** Each task went to the node with the most free resources. */
    record MostFree(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "on " + PlacementReason.count(nodes) + ", each task on the node with the most free resources";
        }
    }

    /** The nodes were filled one after the other, the emptiest first. */
    record Emptiest(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "on " + PlacementReason.count(nodes)
                    + (nodes == 1 ? ", the emptiest" : ", the emptiest filled first");
        }
    }

    /** Not all its tasks have room on the nodes. */
    record Shrunk(Allocation wanted, Allocation placed) implements PlacementReason {
        @Override
        public String sentence() {
            return "it gets only " + placed + " of these " + wanted + ", because the nodes have no room for more";
        }

        @Override
        public List<ReasonKind> kinds() {
            return List.of(ReasonKind.SCATTERED);
        }
    }

    /** The nodes have no room for its minimum. */
    record Waits(Allocation minimum) implements PlacementReason {
        @Override
        public String sentence() {
            return "waits for its minimum of " + minimum + ": the free resources are scattered over too many nodes";
        }

        @Override
        public List<ReasonKind> kinds() {
            return List.of(ReasonKind.SCATTERED);
        }

        @Override
        public boolean waits() {
            return true;
        }
    }

    private static String count(int nodes) {
        return nodes == 1 ? "1 node" : nodes + " nodes";
    }
}
