package io.optimus.model.knapsack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.knapsack.Knapsack.Options;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class KnapsackTest {
    private static final Options A = new Options(new double[] {5, 7}, new long[][] {{1}, {2}});
    private static final Options B = new Options(new double[] {9, 9.5}, new long[][] {{3}, {4}});

    @Test
    public void takesWhatIsWorthMostInAll() {
        assertThat(Knapsack.choose(new long[] {4}, List.of(A, B))).containsExactly(0, 0);
        assertThat(Knapsack.choose(new long[] {2}, List.of(A, B))).containsExactly(1, Knapsack.NONE);
        assertThat(Knapsack.choose(new long[] {0}, List.of(A, B))).containsExactly(Knapsack.NONE, Knapsack.NONE);
        assertThat(Knapsack.choose(new long[] {4}, List.of())).isEmpty();
    }

    @Test
    public void takesNothingThatIsWorthNothing() {
        Options worthless = new Options(new double[] {0, -1}, new long[][] {{0}, {1}});

        assertThat(Knapsack.choose(new long[] {4}, List.of(worthless))).containsExactly(Knapsack.NONE);
        assertThat(GreedyKnapsack.choose(new long[] {4}, List.of(worthless))).containsExactly(Knapsack.NONE);
    }

    @Test
    public void breaksTiesByTheSetThatComesFirst() {
        Options one = new Options(new double[] {1}, new long[][] {{1}});

        assertThat(Knapsack.choose(new long[] {1}, List.of(one, one)))
                .isEqualTo(GreedyKnapsack.choose(new long[] {1}, List.of(one, one)));
    }

    /** Example: a dear option behind a poor one, in a capacity for one of the two sets. */
    @Test
    public void greedyJumpsOverPoorOptions() {
        Options convex = new Options(new double[] {1, 10}, new long[][] {{1}, {2}});
        Options flat = new Options(new double[] {3}, new long[][] {{1}});

        assertThat(GreedyKnapsack.choose(new long[] {2}, List.of(flat, convex))).containsExactly(Knapsack.NONE, 1);
    }

    @Test
    public void greedyTakesACheaperOptionWhereTheBestHasNoRoom() {
        Options set = new Options(new double[] {1, 10}, new long[][] {{1}, {2}});

        assertThat(GreedyKnapsack.choose(new long[] {1}, List.of(set))).containsExactly(0);
    }

    /** No resource is the one that every option takes most of: it is for the greedy choice. */
    @Test
    public void keepsWhatIsTakenAtPresentWhereGreedIsWorthLess() {
        Options small = new Options(new double[] {1.1}, new long[][] {{1, 0}});
        Options other = new Options(new double[] {1}, new long[][] {{0, 1}});
        long[][] all = {{10, 1}};

        assertThat(Knapsack.choose(new long[] {10, 10}, List.of(small, other, new Options(new double[] {9}, all))))
                .containsExactly(0, 0, Knapsack.NONE);
        assertThat(Knapsack.choose(new long[] {10, 10}, List.of(small, other, new Options(new double[] {9}, all, 0))))
                .containsExactly(Knapsack.NONE, 0, 0);
        assertThat(Knapsack.choose(new long[] {9, 10}, List.of(small, other, new Options(new double[] {9}, all, 0))))
                .as("what is taken at present fits no longer")
                .containsExactly(0, 0, Knapsack.NONE);
    }

    @Property(trials = 300)
    public void exactIsAsGoodAsEveryWay(long seed) {
        Random random = new Random(seed);
        long[] capacity = {random.nextInt(12)};
        List<Options> sets = sets(random, 1 + random.nextInt(4), 1);

        int[] chosen = Knapsack.Exact.of(capacity, sets).orElseThrow().choose();

        assertThat(fits(capacity, sets, chosen)).isTrue();
        assertThat(value(sets, chosen)).isCloseTo(best(capacity, sets, 0), within(1e-9));
    }

    @Property(trials = 300)
    public void staysWithinEveryResource(long seed) {
        Random random = new Random(seed);
        long[] capacity = {random.nextInt(12), random.nextInt(12), random.nextInt(12)};
        List<Options> sets = sets(random, 1 + random.nextInt(5), capacity.length);

        int[] chosen = Knapsack.choose(capacity, sets);

        assertThat(fits(capacity, sets, chosen)).isTrue();
        assertThat(value(sets, chosen)).isLessThanOrEqualTo(best(capacity, sets, 0) + 1e-9);
    }

    @Property(trials = 200)
    public void isExactWhereOneResourceIsAlwaysTheShortest(long seed) {
        Random random = new Random(seed);
        long[] capacity = {4 + random.nextInt(8), 1000};
        List<Options> sets = new ArrayList<>();
        for (Options set : sets(random, 3, 1)) {
            double[] values = new double[set.size()];
            long[][] amounts = new long[set.size()][];
            for (int option = 0; option < values.length; option++) {
                values[option] = set.value(option);
                amounts[option] = new long[] {set.amount(option, 0), set.amount(option, 0)};
            }
            sets.add(new Options(values, amounts));
        }

        assertThat(value(sets, Knapsack.choose(capacity, sets))).isCloseTo(best(capacity, sets, 0), within(1e-9));
    }

    /** Concave worth, as speeds of jobs have: the loss is a fraction of a percent once there are many sets. */
    @Test
    public void greedyLosesLittle() {
        for (int jobs : new int[] {5, 20, 160}) {
            double worst = 0;
            double sum = 0;
            for (int seed = 0; seed < 50; seed++) {
                Random random = new Random(seed);
                List<Options> sets = new ArrayList<>();
                for (int job = 0; job < jobs; job++) {
                    sets.add(likeAJob(random));
                }
                long[] capacity = {64};
                double exact = value(
                        sets, Knapsack.Exact.of(capacity, sets).orElseThrow().choose());
                double greedy = value(sets, GreedyKnapsack.choose(capacity, sets));
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
        List<Options> sets = new ArrayList<>();
        List<double[]> gains = new ArrayList<>();
        for (int set = 0; set < 20; set++) {
            double[] falling = random.doubles(10)
                    .map(gain -> -gain)
                    .sorted()
                    .map(gain -> -gain)
                    .toArray();
            sets.add(ofGains(falling));
            for (double gain : falling) {
                gains.add(new double[] {set, gain});
            }
        }
        gains.sort(Comparator.comparingDouble(gain -> -gain[1]));
        int[] expected = new int[sets.size()];
        Arrays.fill(expected, Knapsack.NONE);
        gains.stream().limit(units).forEach(gain -> expected[(int) gain[0]]++);

        assertThat(GreedyKnapsack.choose(new long[] {units}, sets)).isEqualTo(expected);
    }

    /** Each option takes one unit more than the one before. */
    private static Options ofGains(double[] gains) {
        double[] values = gains.clone();
        Arrays.parallelPrefix(values, Double::sum);
        long[][] amounts = new long[gains.length][];
        Arrays.setAll(amounts, option -> new long[] {option + 1});
        return new Options(values, amounts);
    }

    private static Options likeAJob(Random random) {
        int[] sizes = {1, 2, 4, 8, 12, 16, 20, 24, 28, 32};
        double weight = 1 + 20 * random.nextDouble();
        double exponent = 0.3 + 0.7 * random.nextDouble();
        double[] values = new double[sizes.length];
        long[][] amounts = new long[sizes.length][];
        for (int i = 0; i < sizes.length; i++) {
            values[i] = weight * Math.pow(sizes[i], exponent) * (random.nextInt(5) == 0 ? 1.1 : 1);
            amounts[i] = new long[] {sizes[i]};
        }
        return new Options(values, amounts);
    }

    private static List<Options> sets(Random random, int count, int axes) {
        List<Options> sets = new ArrayList<>();
        for (int set = 0; set < count; set++) {
            int options = random.nextInt(5);
            double[] values = new double[options];
            long[][] amounts = new long[options][axes];
            for (int option = 0; option < options; option++) {
                values[option] = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : random.nextDouble() * 10;
                for (int axis = 0; axis < axes; axis++) {
                    amounts[option][axis] = random.nextInt(6);
                }
            }
            sets.add(new Options(values, amounts));
        }
        return sets;
    }

    private static double best(long[] left, List<Options> sets, int from) {
        if (from == sets.size()) {
            return 0;
        }
        double best = best(left, sets, from + 1);
        Options set = sets.get(from);
        for (int option = 0; option < set.size(); option++) {
            long[] after = left.clone();
            boolean fits = true;
            for (int axis = 0; axis < left.length; axis++) {
                after[axis] -= set.amount(option, axis);
                fits &= after[axis] >= 0;
            }
            if (fits) {
                best = Math.max(best, set.value(option) + best(after, sets, from + 1));
            }
        }
        return best;
    }

    private static boolean fits(long[] capacity, List<Options> sets, int[] chosen) {
        for (int axis = 0; axis < capacity.length; axis++) {
            long taken = 0;
            for (int set = 0; set < chosen.length; set++) {
                taken += chosen[set] == Knapsack.NONE ? 0 : sets.get(set).amount(chosen[set], axis);
            }
            if (taken > capacity[axis]) {
                return false;
            }
        }
        return true;
    }

    private static double value(List<Options> sets, int[] chosen) {
        double value = 0;
        for (int set = 0; set < chosen.length; set++) {
            value += chosen[set] == Knapsack.NONE ? 0 : sets.get(set).value(chosen[set]);
        }
        return value;
    }
}
