package io.optimus.model.knapsack;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The multiple-choice knapsack problem: takes at most one option of each set for the largest sum of values within a capacity.
 *
 * <p>The solution is exact if that is quick: if every option takes its largest part of the same resource, in so few units that
 * a table over them is small. Otherwise it is greedy, once from nothing and once from the present options, so that a present
 * choice is not given up for one that is worth no more. Other ties go to the first set and the first option.
 *
 * <p>Example: capacity 4; a is worth 5 with 1 unit and 7 with 2, b 9 with 3 units and 9.5 with 4. Best are 1 unit for a and
 * 3 for b: 14.
 */
public final class Knapsack {
    /** Stands for no option of a set. */
    public static final int NONE = -1;

    private Knapsack() {}

    /**
     * Chooses one option of each set, or {@link #NONE}.
     *
     * @param capacity of each resource, 0 or more
     * @param sets with amounts of as many resources
     */
    public static int[] choose(long[] capacity, List<Options> sets) {
        return Exact.of(capacity, sets).map(Exact::choose).orElseGet(() -> GreedyKnapsack.choose(capacity, sets));
    }

    /** Options of which at most one may be taken, and one may be taken already. To take none is worth 0 and costs nothing. */
    public static final class Options {
        private final double[] values;
        /** The amounts of all options in one array, because they are read a million times. */
        private final long[] amounts;

        private final int axes;
        private final int present;

        /** Options of which none is taken at present, as in {@link #Options(double[], long[][], int)}. */
        public Options(double[] values, long[][] amounts) {
            this(values, amounts, Knapsack.NONE);
        }

        /**
         * Options, one of which may be taken; owns {@code values}.
         *
         * @param values of the options, finite; those not above 0 are never taken
         * @param amounts that each option takes of each resource, 0 or more
         * @param present the option that is taken at present, or {@link Knapsack#NONE}
         */
        public Options(double[] values, long[][] amounts, int present) {
            if (values.length != amounts.length) {
                throw new IllegalArgumentException(
                        "Every option has a value and amounts, got " + values.length + " and " + amounts.length);
            }
            this.values = values;
            this.axes = amounts.length == 0 ? 0 : amounts[0].length;
            this.amounts = new long[amounts.length * axes];
            for (int option = 0; option < amounts.length; option++) {
                System.arraycopy(amounts[option], 0, this.amounts, option * axes, axes);
            }
            this.present = present;
        }

        public int size() {
            return values.length;
        }

        public double value(int option) {
            return values[option];
        }

        /** The option that is taken at present, or {@link Knapsack#NONE}. */
        int present() {
            return present;
        }

        /** The largest part that an option takes of a resource; infinite if there is none of it. */
        double share(int option, long[] capacity) {
            double share = 0;
            for (int axis = 0; axis < capacity.length; axis++) {
                long amount = amount(option, axis);
                if (amount > 0) {
                    share = Math.max(
                            share, capacity[axis] <= 0 ? Double.POSITIVE_INFINITY : (double) amount / capacity[axis]);
                }
            }
            return share;
        }

        /** The amount of a resource that an option takes. */
        long amount(int option, int axis) {
            return amounts[option * axes + axis];
        }
    }

    /**
     * The exact solution, by dynamic programming over the units of the one resource that can run short:
     *
     * <pre>best_i(u) = max( best_(i−1)(u), max over options o of set i: best_(i−1)(u − cost_o) + value_o )</pre>
     *
     * <p>A unit is the largest amount of which all amounts are multiples.
     */
    static final class Exact {
        /** Steps of the inner loop that take about 20 ms: 160 jobs of 20 sizes on 6,000 GPUs. */
        private static final long MOST_STEPS = 20_000_000;

        private final List<Options> sets;
        private final int axis;
        private final long unit;
        private final int units;

        private Exact(List<Options> sets, int axis, long unit, int units) {
            this.sets = sets;
            this.axis = axis;
            this.unit = unit;
            this.units = units;
        }

        /** Empty if more than one resource can run short, or if there are too many units. */
        static Optional<Exact> of(long[] capacity, List<Options> sets) {
            OptionalInt axis = shortest(capacity, sets);
            if (axis.isEmpty()) {
                return Optional.empty();
            }
            long unit = unit(axis.getAsInt(), sets);
            long units = unit == 0 ? 0 : capacity[axis.getAsInt()] / unit;
            long options = sets.stream().mapToLong(Options::size).sum();
            if (units > MOST_STEPS / Math.max(1, options)) {
                return Optional.empty();
            }
            return Optional.of(new Exact(sets, axis.getAsInt(), unit, (int) units));
        }

        /** The resource of which every option takes its largest part: while it suffices, all others suffice. */
        private static OptionalInt shortest(long[] capacity, List<Options> sets) {
            for (int axis = 0; axis < capacity.length; axis++) {
                if (isShortest(axis, capacity, sets)) {
                    return OptionalInt.of(axis);
                }
            }
            return OptionalInt.empty();
        }

        private static boolean isShortest(int axis, long[] capacity, List<Options> sets) {
            for (Options set : sets) {
                for (int option = 0; option < set.size(); option++) {
                    for (int other = 0; other < capacity.length; other++) {
                        if (takesLess(set, option, axis, other, capacity)) {
                            return false;
                        }
                    }
                }
            }
            return true;
        }

        private static boolean takesLess(Options set, int option, int axis, int other, long[] capacity) {
            long here = set.amount(option, axis);
            long there = set.amount(option, other);
            if (axis == other || there == 0) {
                return false;
            }
            return here == 0
                    || capacity[other] == 0
                    || (double) here * capacity[other] < (double) there * capacity[axis];
        }

        private static long unit(int axis, List<Options> sets) {
            long unit = 0;
            for (Options set : sets) {
                for (int option = 0; option < set.size(); option++) {
                    unit = greatestCommonDivisor(set.amount(option, axis), unit);
                }
            }
            return unit;
        }

        private static long greatestCommonDivisor(long a, long b) {
            return b == 0 ? a : greatestCommonDivisor(b, a % b);
        }

        /** The table ends where the sets so far can use no more units. */
        int[] choose() {
            double[] best = {0};
            int[][] taken = new int[sets.size()][];
            for (int i = 0; i < taken.length; i++) {
                double[] before = extended(best, (int) Math.min(units, best.length - 1L + dearest(sets.get(i))));
                best = before.clone();
                taken[i] = offer(sets.get(i), before, best);
            }
            int left = units;
            int[] chosen = new int[taken.length];
            for (int i = taken.length - 1; i >= 0; i--) {
                chosen[i] = taken[i][Math.min(left, taken[i].length - 1)];
                left -= chosen[i] == Knapsack.NONE ? 0 : cost(sets.get(i), chosen[i]);
            }
            return chosen;
        }

        private static double[] extended(double[] best, int units) {
            double[] more = Arrays.copyOf(best, units + 1);
            Arrays.fill(more, best.length, more.length, best[best.length - 1]);
            return more;
        }

        private int dearest(Options set) {
            int dearest = 0;
            for (int option = 0; option < set.size(); option++) {
                dearest = Math.max(dearest, cost(set, option));
            }
            return dearest;
        }

        /** The option taken with each number of units; raises {@code best} if there is one. */
        private int[] offer(Options set, double[] before, double[] best) {
            int[] taken = new int[best.length];
            Arrays.fill(taken, Knapsack.NONE);
            for (int option = 0; option < set.size(); option++) {
                double value = set.value(option);
                int cost = cost(set, option);
                for (int left = cost; value > 0 && left < best.length; left++) {
                    double with = before[left - cost] + value;
                    if (with > best[left]) {
                        best[left] = with;
                        taken[left] = option;
                    }
                }
            }
            return taken;
        }

        /** The cost in units; costs above all units are cut to one more than these. */
        private int cost(Options set, int option) {
            return unit == 0 ? 0 : (int) Math.min(set.amount(option, axis) / unit, units + 1L);
        }
    }
}
