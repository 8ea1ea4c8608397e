package io.optimus.model.knapsack;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * By dynamic programming over the units of the one resource that can run short:
 *
 * <pre>best_i(u) = max( best_(i−1)(u), max over options o of menu i: best_(i−1)(u − cost_o) + value_o )</pre>
 *
 * <p>A unit is the largest amount of which all amounts are multiples.
 */
final class ExactKnapsack {
    /** Steps of the inner loop that take about 20 ms: 160 jobs of 20 sizes on 6,000 GPUs. */
    private static final long MOST_STEPS = 20_000_000;

    private final List<OptionSet> menus;
    private final int axis;
    private final long unit;
    private final int units;

    private ExactKnapsack(List<OptionSet> menus, int axis, long unit, int units) {
        this.menus = menus;
        this.axis = axis;
        this.unit = unit;
        this.units = units;
    }

    /** Empty where more than one resource can run short, or there are too many units. */
    static Optional<ExactKnapsack> of(long[] capacity, List<OptionSet> menus) {
        OptionalInt axis = shortest(capacity, menus);
        if (axis.isEmpty()) {
            return Optional.empty();
        }
        long unit = unit(axis.getAsInt(), menus);
        long units = unit == 0 ? 0 : capacity[axis.getAsInt()] / unit;
        long options = menus.stream().mapToLong(OptionSet::size).sum();
        if (units > MOST_STEPS / Math.max(1, options)) {
            return Optional.empty();
        }
        return Optional.of(new ExactKnapsack(menus, axis.getAsInt(), unit, (int) units));
    }

    /** The resource of which every option takes the largest part: while it suffices, every other one does. */
    private static OptionalInt shortest(long[] capacity, List<OptionSet> menus) {
        for (int axis = 0; axis < capacity.length; axis++) {
            if (isShortest(axis, capacity, menus)) {
                return OptionalInt.of(axis);
            }
        }
        return OptionalInt.empty();
    }

    private static boolean isShortest(int axis, long[] capacity, List<OptionSet> menus) {
        for (OptionSet menu : menus) {
            for (int option = 0; option < menu.size(); option++) {
                for (int other = 0; other < capacity.length; other++) {
                    if (takesLess(menu, option, axis, other, capacity)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static boolean takesLess(OptionSet menu, int option, int axis, int other, long[] capacity) {
        long here = menu.amount(option, axis);
        long there = menu.amount(option, other);
        if (axis == other || there == 0) {
            return false;
        }
        return here == 0 || capacity[other] == 0 || (double) here * capacity[other] < (double) there * capacity[axis];
    }

    private static long unit(int axis, List<OptionSet> menus) {
        long unit = 0;
        for (OptionSet menu : menus) {
            for (int option = 0; option < menu.size(); option++) {
                unit = greatestCommonDivisor(menu.amount(option, axis), unit);
            }
        }
        return unit;
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }

    /** More units than the menus so far can use are as good as those: the table ends there. */
    int[] choose() {
        double[] best = {0};
        int[][] taken = new int[menus.size()][];
        for (int i = 0; i < taken.length; i++) {
            double[] before = extended(best, (int) Math.min(units, best.length - 1L + dearest(menus.get(i))));
            best = before.clone();
            taken[i] = offer(menus.get(i), before, best);
        }
        int left = units;
        int[] chosen = new int[taken.length];
        for (int i = taken.length - 1; i >= 0; i--) {
            chosen[i] = taken[i][Math.min(left, taken[i].length - 1)];
            left -= chosen[i] == Knapsack.NONE ? 0 : cost(menus.get(i), chosen[i]);
        }
        return chosen;
    }

    private static double[] extended(double[] best, int units) {
        double[] more = Arrays.copyOf(best, units + 1);
        Arrays.fill(more, best.length, more.length, best[best.length - 1]);
        return more;
    }

    private int dearest(OptionSet menu) {
        int dearest = 0;
        for (int option = 0; option < menu.size(); option++) {
            dearest = Math.max(dearest, cost(menu, option));
        }
        return dearest;
    }

    /** Option taken with each number of units; {@code best} is raised where there is one. */
    private int[] offer(OptionSet menu, double[] before, double[] best) {
        int[] taken = new int[best.length];
        Arrays.fill(taken, Knapsack.NONE);
        for (int option = 0; option < menu.size(); option++) {
            double value = menu.value(option);
            int cost = cost(menu, option);
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

    /** In units; more than there are stands for every larger number. */
    private int cost(OptionSet menu, int option) {
        return unit == 0 ? 0 : (int) Math.min(menu.amount(option, axis) / unit, units + 1L);
    }
}
