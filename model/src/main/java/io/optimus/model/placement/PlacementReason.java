package io.optimus.model.placement;

import io.optimus.model.Allocation;

/** Why a job's tasks are where they are: a value, with a sentence for people. */
public sealed interface PlacementReason {
    /** The reason in words, to follow the policy's. */
    String sentence();

    /** The policy gave it nothing. */
    record NothingToPlace() implements PlacementReason {
        @Override
        public String sentence() {
            return "has no tasks to place";
        }
    }

    /** Where the policy put it, which searched places and sizes together. */
    record Named(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "on " + PlacementReason.count(nodes) + " that its size was chosen for";
        }
    }

    /** What it keeps runs already, where it is. */
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
                    ? "all on 1 node"
                    : "split evenly over " + PlacementReason.count(nodes) + ", the fewest that hold it so";
        }
    }

    /** Its running tasks stay; the new ones went to as few further nodes as possible. */
    record AddedTo(Allocation running, int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "its running " + running + " stay, with the new tasks it is on " + PlacementReason.count(nodes);
        }
    }

    /** No even split has room: as even as the room on the fewest nodes allows. */
    record UnevenSplit(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "spread over " + PlacementReason.count(nodes) + " as evenly as their room allows";
        }
    }

    /** One task after the other where most was free. */
    record MostFree(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "on " + PlacementReason.count(nodes) + ", each task where most was free";
        }
    }

    /** Wherever there was most room, node after node. */
    record Emptiest(int nodes) implements PlacementReason {
        @Override
        public String sentence() {
            return "on " + PlacementReason.count(nodes) + ", those with most room filled first";
        }
    }

    /** Not all of it has room on the nodes. */
    record Shrunk(Allocation wanted, Allocation placed) implements PlacementReason {
        @Override
        public String sentence() {
            return "but of " + wanted + " the nodes have room for " + placed;
        }
    }

    /** Not even its minimum has room on the nodes. */
    record Waits(Allocation minimum) implements PlacementReason {
        @Override
        public String sentence() {
            return "waits for its minimum of " + minimum + ": the free room is too scattered to hold it";
        }
    }

    private static String count(int nodes) {
        return nodes == 1 ? "1 node" : nodes + " nodes";
    }
}
