package io.optimus.model.knapsack;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.knapsack.Knapsack.Options;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The greedy solution by value per share: repeatedly, the set that gains the most value per additional share of the capacity
 * moves to a larger option, until nothing fits.
 *
 * <p>The share is the largest part that an option takes of a resource. The best step of a set leads to the next point of its
 * {@link Hull}, so that a good large option is not hidden behind a poor smaller one. An option without room is dropped; its set
 * stays. Compared with options that could be split, at most the last step is lost, which is little if there are many sets.
 */
final class GreedyKnapsack {
    private final long[] left;
    private final List<Hull> hulls;

    private GreedyKnapsack(long[] capacity, List<Hull> hulls) {
        this.left = capacity.clone();
        this.hulls = hulls;
    }

    /** The better of two choices: from nothing, and from the present options if they fit. */
    static int[] choose(long[] capacity, List<Options> sets) {
        List<Hull> hulls = hulls(capacity, sets);
        List<Hull> copies = hulls.stream().map(Hull::copy).toList();
        int[] anew = new GreedyKnapsack(capacity, hulls).advance();
        GreedyKnapsack fromPresent = new GreedyKnapsack(capacity, copies);
        if (!fromPresent.takePresent(sets)) {
            return anew;
        }
        int[] further = fromPresent.advance();
        return value(sets, anew) > value(sets, further) ? anew : further;
    }

    private static List<Hull> hulls(long[] capacity, List<Options> sets) {
        Hull[] hulls = new Hull[sets.size()];
        Arrays.setAll(hulls, index -> Hull.of(index, sets.get(index), capacity));
        return List.of(hulls);
    }

    private static double value(List<Options> sets, int[] chosen) {
        double value = 0;
        for (int set = 0; set < chosen.length; set++) {
            value += chosen[set] == Knapsack.NONE ? 0 : sets.get(set).value(chosen[set]);
        }
        return value;
    }

    /** Takes the present options if all fit. Returns whether there were any and they were taken. */
    private boolean takePresent(List<Options> sets) {
        boolean any = false;
        for (Hull hull : hulls) {
            int present = sets.get(hull.index()).present();
            if (present != Knapsack.NONE) {
                if (!hull.fits(present, left)) {
                    return false;
                }
                hull.begin(present, left);
                any = true;
            }
        }
        return any;
    }

    private static int steepestFirst(Hull one, Hull other) {
        int byWorth = Double.compare(other.worthPerShare(), one.worthPerShare());
        return byWorth != 0 ? byWorth : Integer.compare(one.index(), other.index());
    }

    private int[] advance() {
        advanceTogether();
        PriorityQueue<Hull> queue = new PriorityQueue<>(GreedyKnapsack::steepestFirst);
        hulls.stream().filter(Hull::goesOn).forEach(queue::add);
        while (!queue.isEmpty()) {
            InterruptedComputationException.check();
            Hull steepest = queue.remove();
            if (steepest.nextFits(left)) {
                steepest.advance(left);
            } else {
                steepest.dropWithoutRoom(left);
            }
            if (steepest.goesOn()) {
                queue.add(steepest);
            }
        }
        return hulls.stream().mapToInt(Hull::taken).toArray();
    }

    /** Takes all points above the lowest level above which all points have room: their order makes no difference. */
    private void advanceTogether() {
        long[][] asked = new long[Hull.LEVELS][];
        hulls.forEach(hull -> hull.addTo(asked, left.length));
        long[] room = left.clone();
        int level = Hull.LEVELS - 1;
        while (level > 0 && (asked[level] == null || takes(asked[level], room))) {
            level--;
        }
        for (Hull hull : hulls) {
            while (hull.goesOn() && hull.level() > level) {
                hull.advance(left);
            }
        }
    }

    /** Whether {@code asked} had room and was taken. */
    private static boolean takes(long[] asked, long[] room) {
        if (!ResourceAxes.fits(asked, room)) {
            return false;
        }
        ResourceAxes.take(asked, 1, room);
        return true;
    }

    /**
     * The options of one set on the upper hull over (share of the capacity, value), from the option that is taken. Each is the
     * steepest step from the one before.
     *
     * <p>Example: options of share 1, 2 and 3 worth 1, 10 and 12. The first point is the second option with 5 per share, the
     * next point the third option with 2 per share. The first option is no point: it lies below the line from nothing to the
     * second.
     */
    private static final class Hull {
        /** A level is the exponent of a double and the first 5 bits of its fraction. */
        static final int LEVELS = 1 << 16;

        private static final int BITS_BELOW_LEVEL = 47;

        private final int index;
        private final Options set;
        private final double[] shares;
        /** Options that may still fit. */
        private int[] cheapestFirst;

        private int taken = Knapsack.NONE;

        /** The points beyond the option that was taken when they were found. The first {@code next} of them were taken since. */
        private int[] points = {};

        private int next;
        /** The value that each point gains per additional share, from the point before. */
        private double[] worthPerShare = {};
        /** The additional amounts that each point takes, in one array for speed. */
        private long[] more = {};

        private Hull(int index, Options set, double[] shares, int[] cheapestFirst) {
            this.index = index;
            this.set = set;
            this.shares = shares;
            this.cheapestFirst = cheapestFirst;
        }

        /**
         * The hull from nothing.
         *
         * @param index of the set
         * @param capacity of each resource; shares are relative to it
         */
        static Hull of(int index, Options set, long[] capacity) {
            double[] shares = new double[set.size()];
            Integer[] order = new Integer[shares.length];
            for (int option = 0; option < shares.length; option++) {
                shares[option] = set.share(option, capacity);
                order[option] = option;
            }
            Arrays.sort(order, Comparator.comparingDouble(option -> shares[option]));
            Hull hull = new Hull(
                    index,
                    set,
                    shares,
                    Arrays.stream(order).mapToInt(option -> option).toArray());
            hull.findPoints(capacity.length);
            return hull;
        }

        /** The same hull from nothing, to be advanced apart from this one. */
        Hull copy() {
            Hull copy = new Hull(index, set, shares, cheapestFirst);
            copy.points = points;
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
            return next < points.length;
        }

        /** The value that the next point gains per share. */
        double worthPerShare() {
            return worthPerShare[next];
        }

        /** Roughly how steep the next point is, from 0 to below {@link #LEVELS}. */
        int level() {
            return level(worthPerShare());
        }

        private static int level(double worthPerShare) {
            return (int) (Double.doubleToLongBits(worthPerShare) >>> BITS_BELOW_LEVEL);
        }

        /** Adds the amounts of the points to {@code asked}, by level and resource; null if nothing is asked for. */
        void addTo(long[][] asked, int axes) {
            int level = LEVELS - 1;
            for (int point = next; point < points.length; point++) {
                // Rounding must not put a point above those before it.
                level = Math.min(level, level(worthPerShare[point]));
                if (asked[level] == null) {
                    asked[level] = new long[axes];
                }
                for (int axis = 0; axis < axes; axis++) {
                    asked[level][axis] += more[point * axes + axis];
                }
            }
        }

        /** Whether the next point has room if the taken option leaves {@code left}. */
        boolean nextFits(long[] left) {
            for (int axis = 0; axis < left.length; axis++) {
                if (lacks(more[next * left.length + axis], left[axis])) {
                    return false;
                }
            }
            return true;
        }

        void advance(long[] left) {
            for (int axis = 0; axis < left.length; axis++) {
                left[axis] -= more[next * left.length + axis];
            }
            taken = points[next++];
        }

        /** Whether {@code option} has room if the taken one leaves {@code left}. */
        boolean fits(int option, long[] left) {
            for (int axis = 0; axis < left.length; axis++) {
                if (lacks(more(taken, option, axis), left[axis])) {
                    return false;
                }
            }
            return true;
        }

        /** Takes {@code option} and finds the points from there. */
        void begin(int option, long[] left) {
            for (int axis = 0; axis < left.length; axis++) {
                left[axis] -= more(taken, option, axis);
            }
            taken = option;
            findPoints(left.length);
        }

        /** Drops options without room: less and less is left, so that they never fit again. */
        void dropWithoutRoom(long[] left) {
            cheapestFirst = Arrays.stream(cheapestFirst)
                    .filter(option -> fits(option, left))
                    .toArray();
            findPoints(left.length);
        }

        private static boolean lacks(long asked, long left) {
            return asked > 0 && asked > left;
        }

        private long more(int from, int to, int axis) {
            return set.amount(to, axis) - (from == Knapsack.NONE ? 0 : set.amount(from, axis));
        }

        private void findPoints(int axes) {
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
            points = Arrays.copyOf(hull, top);
            next = 0;
            measurePoints(axes);
        }

        private void measurePoints(int axes) {
            worthPerShare = new double[points.length];
            more = new long[points.length * axes];
            int from = taken;
            for (int point = 0; point < points.length; point++) {
                worthPerShare[point] = steepness(from, points[point]);
                for (int axis = 0; axis < axes; axis++) {
                    more[point * axes + axis] = more(from, points[point], axis);
                }
                from = points[point];
            }
        }

        /** Whether {@code option} is worth more than {@code from} and takes no less, of resources that exist. */
        private boolean isBeyond(int option, int from) {
            return value(option) > value(from)
                    && share(option) >= share(from)
                    && share(option) < Double.POSITIVE_INFINITY;
        }

        /** Whether {@code option} is steeper; of equally steep options the smaller comes first. */
        private boolean isSteeper(int option, int other, int from) {
            return steepness(from, option) > steepness(from, other);
        }

        private double steepness(int from, int to) {
            return (value(to) - value(from)) / (share(to) - share(from));
        }

        private double value(int option) {
            return option == Knapsack.NONE ? 0 : set.value(option);
        }

        private double share(int option) {
            return option == Knapsack.NONE ? 0 : shares[option];
        }
    }
}
