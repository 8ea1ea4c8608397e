package io.optimus.model.knapsack;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The options of one menu that are worth climbing to, each the steepest way up from the one before: the upper hull over
 * (share of the capacity, value), from the option that is taken.
 *
 * <p>Example: options of share 1, 2 and 3 worth 1, 10 and 12. The first rung is the second option, 5 a share, the next one
 * the third, 2 a share. The first option is none: it lies below the way from nothing to the second.
 */
final class OptionHull {
    /** A level is what follows the sign of a number: its exponent, and 5 bits that tell its 32nds apart. */
    static final int LEVELS = 1 << 16;

    private static final int BITS_BELOW_LEVEL = 47;

    private final int index;
    private final OptionSet menu;
    private final double[] shares;
    /** Options that may still fit. */
    private int[] cheapestFirst;

    private int taken = Knapsack.NONE;

    /** Options, from the one that was taken when they were found; {@code next} of them were taken since. */
    private int[] rungs = {};

    private int next;
    /** What each rung gains for what it takes more than the one before. */
    private double[] worthPerShare = {};
    /** And what that is of each resource, rung by rung: all that a step reads lies side by side. */
    private long[] more = {};

    private OptionHull(int index, OptionSet menu, double[] shares, int[] cheapestFirst) {
        this.index = index;
        this.menu = menu;
        this.shares = shares;
        this.cheapestFirst = cheapestFirst;
    }

    /**
     * From nothing.
     *
     * @param index of the menu
     * @param capacity of each resource, of which shares are shares
     */
    static OptionHull of(int index, OptionSet menu, long[] capacity) {
        double[] shares = new double[menu.size()];
        Integer[] order = new Integer[shares.length];
        for (int option = 0; option < shares.length; option++) {
            shares[option] = menu.share(option, capacity);
            order[option] = option;
        }
        Arrays.sort(order, Comparator.comparingDouble(option -> shares[option]));
        OptionHull ladder = new OptionHull(
                index,
                menu,
                shares,
                Arrays.stream(order).mapToInt(option -> option).toArray());
        ladder.findRungs(capacity.length);
        return ladder;
    }

    /** The same from nothing, to be climbed apart from this one. */
    OptionHull copy() {
        OptionHull copy = new OptionHull(index, menu, shares, cheapestFirst);
        copy.rungs = rungs;
        copy.worthPerShare = worthPerShare;
        copy.more = more;
        return copy;
    }

    int index() {
        return index;
    }

    /** The option that is taken, or {@link Knapsack#NONE}. */
    int taken() {
        return taken;
    }

    boolean goesOn() {
        return next < rungs.length;
    }

    /** What the next rung gains for what it takes more. */
    double worthPerShare() {
        return worthPerShare[next];
    }

    /** Roughly how steep the next rung is, from 0 to below {@link #LEVELS}. */
    int level() {
        return level(worthPerShare());
    }

    private static int level(double worthPerShare) {
        return (int) (Double.doubleToLongBits(worthPerShare) >>> BITS_BELOW_LEVEL);
    }

    /** Adds what the rungs take to {@code asked}, by level and resource; null where nothing is asked for. */
    void addTo(long[][] asked, int axes) {
        int level = LEVELS - 1;
        for (int rung = next; rung < rungs.length; rung++) {
            // Rounding never lifts a rung above those before it.
            level = Math.min(level, level(worthPerShare[rung]));
            if (asked[level] == null) {
                asked[level] = new long[axes];
            }
            for (int axis = 0; axis < axes; axis++) {
                asked[level][axis] += more[rung * axes + axis];
            }
        }
    }

    /** Whether the next rung has room where the option that is taken leaves {@code left}. */
    boolean nextFits(long[] left) {
        for (int axis = 0; axis < left.length; axis++) {
            if (lacks(more[next * left.length + axis], left[axis])) {
                return false;
            }
        }
        return true;
    }

    /** Takes the next rung. */
    void climb(long[] left) {
        for (int axis = 0; axis < left.length; axis++) {
            left[axis] -= more[next * left.length + axis];
        }
        taken = rungs[next++];
    }

    /** Whether any option has room where the one that is taken leaves {@code left}. */
    boolean fits(int option, long[] left) {
        for (int axis = 0; axis < left.length; axis++) {
            if (lacks(more(taken, option, axis), left[axis])) {
                return false;
            }
        }
        return true;
    }

    /** Takes any option, and goes on from there. */
    void begin(int option, long[] left) {
        for (int axis = 0; axis < left.length; axis++) {
            left[axis] -= more(taken, option, axis);
        }
        taken = option;
        findRungs(left.length);
    }

    /** What is left only becomes less: an option without room never fits again. */
    void dropWithoutRoom(long[] left) {
        cheapestFirst = Arrays.stream(cheapestFirst)
                .filter(option -> fits(option, left))
                .toArray();
        findRungs(left.length);
    }

    private static boolean lacks(long asked, long left) {
        return asked > 0 && asked > left;
    }

    private long more(int from, int to, int axis) {
        return menu.amount(to, axis) - (from == Knapsack.NONE ? 0 : menu.amount(from, axis));
    }

    private void findRungs(int axes) {
        int[] hull = new int[cheapestFirst.length];
        int top = 0;
        for (int option : cheapestFirst) {
            if (!isBeyond(option, top == 0 ? taken : hull[top - 1])) {
                continue;
            }
            while (top > 0 && isSteeper(option, hull[top - 1], top == 1 ? taken : hull[top - 2])) {
                top--;
            }
            hull[top++] = option;
        }
        rungs = Arrays.copyOf(hull, top);
        next = 0;
        measureRungs(axes);
    }

    private void measureRungs(int axes) {
        worthPerShare = new double[rungs.length];
        more = new long[rungs.length * axes];
        int from = taken;
        for (int rung = 0; rung < rungs.length; rung++) {
            worthPerShare[rung] = steepness(from, rungs[rung]);
            for (int axis = 0; axis < axes; axis++) {
                more[rung * axes + axis] = more(from, rungs[rung], axis);
            }
            from = rungs[rung];
        }
    }

    /** Worth more, and not cheaper; never one that asks for what there is not. */
    private boolean isBeyond(int option, int from) {
        return value(option) > value(from) && share(option) >= share(from) && share(option) < Double.POSITIVE_INFINITY;
    }

    /** Of equally steep ones, the shorter way comes first. */
    private boolean isSteeper(int option, int other, int from) {
        return steepness(from, option) > steepness(from, other);
    }

    private double steepness(int from, int to) {
        return (value(to) - value(from)) / (share(to) - share(from));
    }

    private double value(int option) {
        return option == Knapsack.NONE ? 0 : menu.value(option);
    }

    private double share(int option) {
        return option == Knapsack.NONE ? 0 : shares[option];
    }
}
