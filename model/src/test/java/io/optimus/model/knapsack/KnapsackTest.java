package io.optimus.model.knapsack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class KnapsackTest {
    private static final OptionSet A = new OptionSet(new double[] {5, 7}, new long[][] {{1}, {2}});
    private static final OptionSet B = new OptionSet(new double[] {9, 9.5}, new long[][] {{3}, {4}});

    @Test
    public void takesWhatIsWorthMostInAll() {
        assertThat(Knapsack.choose(new long[] {4}, List.of(A, B))).containsExactly(0, 0);
        assertThat(Knapsack.choose(new long[] {2}, List.of(A, B))).containsExactly(1, Knapsack.NONE);
        assertThat(Knapsack.choose(new long[] {0}, List.of(A, B))).containsExactly(Knapsack.NONE, Knapsack.NONE);
        assertThat(Knapsack.choose(new long[] {4}, List.of())).isEmpty();
    }

    @Test
    public void takesNothingThatIsWorthNothing() {
        OptionSet worthless = new OptionSet(new double[] {0, -1}, new long[][] {{0}, {1}});

        assertThat(Knapsack.choose(new long[] {4}, List.of(worthless))).containsExactly(Knapsack.NONE);
        assertThat(GreedyKnapsack.choose(new long[] {4}, List.of(worthless))).containsExactly(Knapsack.NONE);
    }

    @Test
    public void breaksTiesByTheMenuThatComesFirst() {
        OptionSet one = new OptionSet(new double[] {1}, new long[][] {{1}});

        assertThat(Knapsack.choose(new long[] {1}, List.of(one, one)))
                .isEqualTo(GreedyKnapsack.choose(new long[] {1}, List.of(one, one)));
    }

    /** Example: a dear option behind a poor one, in a capacity for one of the two menus. */
    @Test
    public void greedyJumpsOverPoorOptions() {
        OptionSet convex = new OptionSet(new double[] {1, 10}, new long[][] {{1}, {2}});
        OptionSet flat = new OptionSet(new double[] {3}, new long[][] {{1}});

        assertThat(GreedyKnapsack.choose(new long[] {2}, List.of(flat, convex))).containsExactly(Knapsack.NONE, 1);
    }

    @Test
    public void greedyTakesACheaperOptionWhereTheBestHasNoRoom() {
        OptionSet menu = new OptionSet(new double[] {1, 10}, new long[][] {{1}, {2}});

        assertThat(GreedyKnapsack.choose(new long[] {1}, List.of(menu))).containsExactly(0);
    }

    /** No resource is the one that every option takes most of: it is for the greedy choice. */
    @Test
    public void keepsWhatIsTakenAtPresentWhereGreedIsWorthLess() {
        OptionSet small = new OptionSet(new double[] {1.1}, new long[][] {{1, 0}});
        OptionSet other = new OptionSet(new double[] {1}, new long[][] {{0, 1}});
        long[][] all = {{10, 1}};

        assertThat(Knapsack.choose(new long[] {10, 10}, List.of(small, other, new OptionSet(new double[] {9}, all))))
                .containsExactly(0, 0, Knapsack.NONE);
        assertThat(Knapsack.choose(new long[] {10, 10}, List.of(small, other, new OptionSet(new double[] {9}, all, 0))))
                .containsExactly(Knapsack.NONE, 0, 0);
        assertThat(Knapsack.choose(new long[] {9, 10}, List.of(small, other, new OptionSet(new double[] {9}, all, 0))))
                .as("what is taken at present fits no longer")
                .containsExactly(0, 0, Knapsack.NONE);
    }

    @Property(trials = 300)
    public void exactIsAsGoodAsEveryWay(long seed) {
        Random random = new Random(seed);
        long[] capacity = {random.nextInt(12)};
        List<OptionSet> menus = menus(random, 1 + random.nextInt(4), 1);

        int[] chosen = ExactKnapsack.of(capacity, menus).orElseThrow().choose();

        assertThat(fits(capacity, menus, chosen)).isTrue();
        assertThat(value(menus, chosen)).isCloseTo(best(capacity, menus, 0), within(1e-9));
    }

    @Property(trials = 300)
    public void staysWithinEveryResource(long seed) {
        Random random = new Random(seed);
        long[] capacity = {random.nextInt(12), random.nextInt(12), random.nextInt(12)};
        List<OptionSet> menus = menus(random, 1 + random.nextInt(5), capacity.length);

        int[] chosen = Knapsack.choose(capacity, menus);

        assertThat(fits(capacity, menus, chosen)).isTrue();
        assertThat(value(menus, chosen)).isLessThanOrEqualTo(best(capacity, menus, 0) + 1e-9);
    }

    @Property(trials = 200)
    public void isExactWhereOneResourceIsAlwaysTheShortest(long seed) {
        Random random = new Random(seed);
        long[] capacity = {4 + random.nextInt(8), 1000};
        List<OptionSet> menus = new ArrayList<>();
        for (OptionSet menu : menus(random, 3, 1)) {
            double[] values = new double[menu.size()];
            long[][] amounts = new long[menu.size()][];
            for (int option = 0; option < values.length; option++) {
                values[option] = menu.value(option);
                amounts[option] = new long[] {menu.amount(option, 0), menu.amount(option, 0)};
            }
            menus.add(new OptionSet(values, amounts));
        }

        assertThat(value(menus, Knapsack.choose(capacity, menus))).isCloseTo(best(capacity, menus, 0), within(1e-9));
    }

    /** Concave worth, as speeds of jobs have: the loss is a fraction of a percent once there are many menus. */
    @Test
    public void greedyLosesLittle() {
        for (int jobs : new int[] {5, 20, 160}) {
            double worst = 0;
            double sum = 0;
            for (int seed = 0; seed < 50; seed++) {
                Random random = new Random(seed);
                List<OptionSet> menus = new ArrayList<>();
                for (int job = 0; job < jobs; job++) {
                    menus.add(likeAJob(random));
                }
                long[] capacity = {64};
                double exact = value(
                        menus, ExactKnapsack.of(capacity, menus).orElseThrow().choose());
                double greedy = value(menus, GreedyKnapsack.choose(capacity, menus));
                assertThat(greedy).isLessThanOrEqualTo(exact * (1 + 1e-12));
                worst = Math.max(worst, 1 - greedy / exact);
                sum += 1 - greedy / exact;
            }
            System.out.printf(
                    "greedy loses of %d jobs on 64 GPUs: mean %.2f %%, worst %.2f %%%n", jobs, 2 * sum, 100 * worst);
            assertThat(worst).as("of " + jobs + " jobs").isLessThan(0.05);
            assertThat(sum / 50).as("of " + jobs + " jobs").isLessThan(0.01);
        }
    }

    /** On the way up, each job's sizes gain less and less: what is taken is what gains most for its units, as far as that goes. */
    @Property(trials = 100)
    public void greedyTakesWhatGainsMostForItsShare(long seed) {
        Random random = new Random(seed);
        int units = random.nextInt(300);
        List<OptionSet> menus = new ArrayList<>();
        List<double[]> gains = new ArrayList<>();
        for (int menu = 0; menu < 20; menu++) {
            double[] falling = random.doubles(10)
                    .map(gain -> -gain)
                    .sorted()
                    .map(gain -> -gain)
                    .toArray();
            menus.add(ofGains(falling));
            for (double gain : falling) {
                gains.add(new double[] {menu, gain});
            }
        }
        gains.sort(Comparator.comparingDouble(gain -> -gain[1]));
        int[] expected = new int[menus.size()];
        Arrays.fill(expected, Knapsack.NONE);
        gains.stream().limit(units).forEach(gain -> expected[(int) gain[0]]++);

        assertThat(GreedyKnapsack.choose(new long[] {units}, menus)).isEqualTo(expected);
    }

    /** Each option takes one unit more than the one before. */
    private static OptionSet ofGains(double[] gains) {
        double[] values = gains.clone();
        Arrays.parallelPrefix(values, Double::sum);
        long[][] amounts = new long[gains.length][];
        Arrays.setAll(amounts, option -> new long[] {option + 1});
        return new OptionSet(values, amounts);
    }

    private static OptionSet likeAJob(Random random) {
        int[] sizes = {1, 2, 4, 8, 12, 16, 20, 24, 28, 32};
        double weight = 1 + 20 * random.nextDouble();
        double exponent = 0.3 + 0.7 * random.nextDouble();
        double[] values = new double[sizes.length];
        long[][] amounts = new long[sizes.length][];
        for (int i = 0; i < sizes.length; i++) {
            values[i] = weight * Math.pow(sizes[i], exponent) * (random.nextInt(5) == 0 ? 1.1 : 1);
            amounts[i] = new long[] {sizes[i]};
        }
        return new OptionSet(values, amounts);
    }

    private static List<OptionSet> menus(Random random, int count, int axes) {
        List<OptionSet> menus = new ArrayList<>();
        for (int menu = 0; menu < count; menu++) {
            int options = random.nextInt(5);
            double[] values = new double[options];
            long[][] amounts = new long[options][axes];
            for (int option = 0; option < options; option++) {
                values[option] = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : random.nextDouble() * 10;
                for (int axis = 0; axis < axes; axis++) {
                    amounts[option][axis] = random.nextInt(6);
                }
            }
            menus.add(new OptionSet(values, amounts));
        }
        return menus;
    }

    private static double best(long[] left, List<OptionSet> menus, int from) {
        if (from == menus.size()) {
            return 0;
        }
        double best = best(left, menus, from + 1);
        OptionSet menu = menus.get(from);
        for (int option = 0; option < menu.size(); option++) {
            long[] after = left.clone();
            boolean fits = true;
            for (int axis = 0; axis < left.length; axis++) {
                after[axis] -= menu.amount(option, axis);
                fits &= after[axis] >= 0;
            }
            if (fits) {
                best = Math.max(best, menu.value(option) + best(after, menus, from + 1));
            }
        }
        return best;
    }

    private static boolean fits(long[] capacity, List<OptionSet> menus, int[] chosen) {
        for (int axis = 0; axis < capacity.length; axis++) {
            long taken = 0;
            for (int menu = 0; menu < chosen.length; menu++) {
                taken += chosen[menu] == Knapsack.NONE ? 0 : menus.get(menu).amount(chosen[menu], axis);
            }
            if (taken > capacity[axis]) {
                return false;
            }
        }
        return true;
    }

    private static double value(List<OptionSet> menus, int[] chosen) {
        double value = 0;
        for (int menu = 0; menu < chosen.length; menu++) {
            value += chosen[menu] == Knapsack.NONE ? 0 : menus.get(menu).value(chosen[menu]);
        }
        return value;
    }
}
