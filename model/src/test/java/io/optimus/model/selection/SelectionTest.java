package io.optimus.model.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.TestCategory.Slow;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;

@Category(Slow.class)
public class SelectionTest {
    private static final int INSTANCES = 150;
    private static final int ITEMS = 10;
    private static final int DIMENSIONS = 3;

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    /** Draws a problem: odd seeds have values proportional to weights, others independent ones; about half of the items fit. */
    private static SelectionProblem random(long seed, int items) {
        Random random = new Random(seed);
        double[] values = new double[items];
        long[][] weights = new long[items][DIMENSIONS];
        for (int item = 0; item < items; item++) {
            long sum = 0;
            for (int dimension = 0; dimension < DIMENSIONS; dimension++) {
                weights[item][dimension] = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(50);
                sum += weights[item][dimension];
            }
            values[item] = seed % 2 == 0 ? random.nextDouble() : sum * (0.8 + 0.4 * random.nextDouble());
        }
        long[] capacities = IntStream.range(0, DIMENSIONS)
                .mapToLong(dimension -> Arrays.stream(weights)
                                .mapToLong(weight -> weight[dimension])
                                .sum()
                        / (2 + random.nextInt(3)))
                .toArray();
        return new SelectionProblem(values, weights, capacities);
    }

    /** The best value, found by trying all choices. */
    private static double optimum(SelectionProblem problem) {
        return best(problem, 0, new Selection(problem));
    }

    private static double best(SelectionProblem problem, int item, Selection selection) {
        if (item == problem.items()) {
            return selection.value();
        }
        double without = best(problem, item + 1, selection);
        Selection larger = selection.copy();
        return larger.addIfItFits(item) ? Math.max(without, best(problem, item + 1, larger)) : without;
    }

    @Test
    public void choosesBothSmallItemsOfTheExample() {
        SelectionProblem problem =
                new SelectionProblem(new double[] {5, 3, 3}, new long[][] {{4, 1}, {2, 4}, {2, 4}}, new long[] {4, 8});

        for (SelectionSolver solver : List.of(new SubsetEnumeration(1), new SubsetEnumeration(2))) {
            Selection selection = solver.solve(problem);
            assertThat(selection.value()).isEqualTo(6);
            assertThat(selection.contains(0)).isFalse();
        }
    }

    @Test
    public void staysWithinItsGuaranteeOfTheOptimum() {
        for (int size = 0; size <= 3; size++) {
            double guarantee = 1 - (double) DIMENSIONS / (size + DIMENSIONS + 1);
            double worst = 1;
            double sum = 0;
            for (long seed = 0; seed < INSTANCES; seed++) {
                SelectionProblem problem = random(seed, ITEMS);
                double optimum = optimum(problem);
                double ratio = new SubsetEnumeration(size).solve(problem).value() / optimum;
                assertThat(ratio).as("seed %d", seed).isBetween(guarantee, 1 + 1e-9);
                worst = Math.min(worst, ratio);
                sum += ratio;
            }
            System.out.printf(
                    "subsets of %d, %d items, %d resources: guarantee %.3f, worst of %d instances %.4f, mean %.5f%n",
                    size, ITEMS, DIMENSIONS, guarantee, INSTANCES, worst, sum / INSTANCES);
        }
    }

    @Test
    public void densityGreedyComesNearTheOptimum() {
        double worst = 1;
        double sum = 0;
        for (long seed = 0; seed < INSTANCES; seed++) {
            SelectionProblem problem = random(seed, ITEMS);
            double ratio = new DensityGreedy().solve(problem).value() / optimum(problem);
            assertThat(ratio).as("seed %d", seed).isBetween(1.0 / ITEMS, 1 + 1e-9);
            worst = Math.min(worst, ratio);
            sum += ratio;
        }
        System.out.printf(
                "density greedy, %d items, %d resources: worst of %d instances %.4f, mean %.5f%n",
                ITEMS, DIMENSIONS, INSTANCES, worst, sum / INSTANCES);
    }

    /** The relaxation bounds the optimum from above, so greedy choices among many items can be compared with it. */
    @Test
    public void densityGreedyComesNearTheRelaxationOfManyItems() {
        double worst = 1;
        for (long seed = 0; seed < 20; seed++) {
            SelectionProblem problem = random(seed, 500);
            double bound = relaxed(problem).value();
            worst = Math.min(worst, new DensityGreedy().solve(problem).value() / bound);
        }
        System.out.printf("density greedy, 500 items: at least %.4f of the relaxation's value%n", worst);

        assertThat(worst).isGreaterThan(0.8);
    }

    @Test
    public void relaxationIsAVertexWorthAtLeastTheOptimum() {
        for (long seed = 0; seed < INSTANCES; seed++) {
            SelectionProblem problem = random(seed, ITEMS);
            List<Integer> open = fitting(problem);
            LinearRelaxation relaxed = new LinearRelaxation(problem, new Selection(problem), open);
            double[] parts = relaxed.parts();

            assertThat(relaxed.value()).isGreaterThanOrEqualTo(optimum(problem) * (1 - 1e-9));
            assertThat(Arrays.stream(parts)
                            .filter(part -> part > LinearRelaxation.TOLERANCE && part < 1 - LinearRelaxation.TOLERANCE)
                            .count())
                    .as("items in part, seed %d", seed)
                    .isLessThanOrEqualTo(DIMENSIONS);
            double value = IntStream.range(0, parts.length)
                    .mapToDouble(index -> parts[index] * problem.value(open.get(index)))
                    .sum();
            assertThat(relaxed.value()).isCloseTo(value, within(1e-6 * value));
        }
    }

    private static LinearRelaxation relaxed(SelectionProblem problem) {
        return new LinearRelaxation(problem, new Selection(problem), fitting(problem));
    }

    /** The items that fit alone. Others are not part of a relaxation. */
    private static List<Integer> fitting(SelectionProblem problem) {
        return IntStream.range(0, problem.items())
                .filter(item -> new Selection(problem).addIfItFits(item))
                .boxed()
                .toList();
    }

    @Test
    public void choosesNothingWhenNothingFits() {
        SelectionProblem problem = new SelectionProblem(new double[] {5}, new long[][] {{4}}, new long[] {0});

        assertThat(new SubsetEnumeration(2).solve(problem).contains(0)).isFalse();
        assertThat(new DensityGreedy().solve(problem).contains(0)).isFalse();
        assertThat(new SubsetEnumeration(0)
                        .solve(new SelectionProblem(new double[0], new long[0][], new long[] {1}))
                        .value())
                .isZero();
    }

    @Test
    public void choosesItemsWithoutWeight() {
        SelectionProblem problem = new SelectionProblem(new double[] {5, 1}, new long[][] {{4}, {0}}, new long[] {4});

        assertThat(new DensityGreedy().solve(problem).value()).isEqualTo(6);
        assertThat(new SubsetEnumeration(1).solve(problem).value()).isEqualTo(6);
    }

    @Test
    public void rejectsInvalidProblems() {
        assertThatThrownBy(() -> new SelectionProblem(new double[] {Double.NaN}, new long[][] {{1}}, new long[] {1}))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new SelectionProblem(new double[] {1}, new long[][] {{-1}}, new long[] {1}))
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> new SelectionProblem(new double[] {1}, new long[][] {{1, 2}}, new long[] {1}))
                .hasMessageContaining("2 weights");
        assertThatThrownBy(() -> new SelectionProblem(new double[] {1}, new long[][] {{1}}, new long[] {-3}))
                .hasMessageContaining("-3");
    }
}
