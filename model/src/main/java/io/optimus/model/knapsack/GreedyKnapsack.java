package io.optimus.model.knapsack;

import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * By worth per share over any jump: of all menus, the one goes on to a dearer option that gains the most value for the
 * share of the capacity that it takes more, and again until nothing fits.
 *
 * <p>A share is that of the resource of which the option takes the largest part. The best jump of a menu leads along the
 * upper hull of (share, value), so that a dear option which is worth its price is not hidden behind a poor one before it.
 * An option without room is dropped, not its menu. At most the last jump is lost against a capacity that could be split:
 * little where there are many menus.
 */
final class GreedyKnapsack {
    private final long[] capacity;
    private final long[] left;
    private final List<Menu> menus;
    private final Ladder[] ladders;

    /** From one option of a menu to the next on its hull. */
    private record Jump(int menu, int option, double worthPerShare) implements Comparable<Jump> {
        /** The best first. */
        @Override
        public int compareTo(Jump other) {
            int byWorth = Double.compare(other.worthPerShare, worthPerShare);
            return byWorth != 0 ? byWorth : Integer.compare(menu, other.menu);
        }
    }

    /** The better one of what is chosen from nothing, and from what is taken at present where that fits. */
    static int[] choose(long[] capacity, List<Menu> menus) {
        GreedyKnapsack fromNothing = new GreedyKnapsack(capacity, menus);
        GreedyKnapsack fromPresent = new GreedyKnapsack(capacity, menus);
        if (!fromPresent.takePresent()) {
            return fromNothing.choose();
        }
        int[] anew = fromNothing.choose();
        int[] further = fromPresent.choose();
        return value(menus, anew) > value(menus, further) ? anew : further;
    }

    private static double value(List<Menu> menus, int[] chosen) {
        double value = 0;
        for (int menu = 0; menu < chosen.length; menu++) {
            value += chosen[menu] == Knapsack.NONE ? 0 : menus.get(menu).value(chosen[menu]);
        }
        return value;
    }

    GreedyKnapsack(long[] capacity, List<Menu> menus) {
        this.capacity = capacity;
        this.left = capacity.clone();
        this.menus = menus;
        this.ladders =
                menus.stream().map(menu -> new Ladder(menu, shares(menu))).toArray(Ladder[]::new);
    }

    private double[] shares(Menu menu) {
        double[] shares = new double[menu.size()];
        for (int option = 0; option < shares.length; option++) {
            for (int axis = 0; axis < capacity.length; axis++) {
                long amount = menu.amount(option, axis);
                double share = amount == 0
                        ? 0
                        : capacity[axis] <= 0 ? Double.POSITIVE_INFINITY : (double) amount / capacity[axis];
                shares[option] = Math.max(shares[option], share);
            }
        }
        return shares;
    }

    /** Whether there is anything at present, all of it fits, and it was taken. */
    private boolean takePresent() {
        boolean any = false;
        for (int menu = 0; menu < ladders.length; menu++) {
            Jump present = new Jump(menu, menus.get(menu).present(), 0);
            if (present.option() != Knapsack.NONE) {
                if (!fits(present)) {
                    return false;
                }
                take(present);
                any = true;
            }
        }
        return any;
    }

    int[] choose() {
        PriorityQueue<Jump> queue = new PriorityQueue<>(Math.max(1, menus.size()));
        for (int menu = 0; menu < ladders.length; menu++) {
            add(queue, menu);
        }
        while (!queue.isEmpty()) {
            Jump best = queue.remove();
            if (fits(best)) {
                take(best);
            } else {
                ladders[best.menu()].drop(best.option());
            }
            add(queue, best.menu());
        }
        return Arrays.stream(ladders).mapToInt(ladder -> ladder.current).toArray();
    }

    private void add(PriorityQueue<Jump> queue, int menu) {
        Jump next = ladders[menu].next(menu);
        if (next != null) {
            queue.add(next);
        }
    }

    private boolean fits(Jump jump) {
        for (int axis = 0; axis < left.length; axis++) {
            long more = more(jump, axis);
            if (more > 0 && more > left[axis]) {
                return false;
            }
        }
        return true;
    }

    private void take(Jump jump) {
        for (int axis = 0; axis < left.length; axis++) {
            left[axis] -= more(jump, axis);
        }
        ladders[jump.menu()].current = jump.option();
    }

    private long more(Jump jump, int axis) {
        Menu menu = menus.get(jump.menu());
        int from = ladders[jump.menu()].current;
        return menu.amount(jump.option(), axis) - (from == Knapsack.NONE ? 0 : menu.amount(from, axis));
    }

    /** One menu: the option taken so far, and those that may still fit. */
    private static final class Ladder {
        private final Menu menu;
        private final double[] shares;
        private final boolean[] dropped;
        private int current = Knapsack.NONE;

        Ladder(Menu menu, double[] shares) {
            this.menu = menu;
            this.shares = shares;
            this.dropped = new boolean[shares.length];
        }

        /** The steepest way up from here; of equally steep ones the shortest. */
        @Nullable
        Jump next(int index) {
            double share = current == Knapsack.NONE ? 0 : shares[current];
            double value = current == Knapsack.NONE ? 0 : menu.value(current);
            int best = Knapsack.NONE;
            double steepest = 0;
            for (int option = 0; option < shares.length; option++) {
                double gain = menu.value(option) - value;
                if (dropped[option] || gain <= 0 || shares[option] < share) {
                    continue;
                }
                double slope = gain / (shares[option] - share);
                if (slope > steepest || (best != Knapsack.NONE && slope == steepest && shares[option] < shares[best])) {
                    best = option;
                    steepest = slope;
                }
            }
            return best == Knapsack.NONE ? null : new Jump(index, best, steepest);
        }

        /** What is left only becomes less: an option without room never fits again. */
        void drop(int option) {
            dropped[option] = true;
        }
    }
}
