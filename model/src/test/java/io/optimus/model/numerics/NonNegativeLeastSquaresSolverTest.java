package io.optimus.model.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class NonNegativeLeastSquaresSolverTest {
    private final NonNegativeLeastSquaresSolver solver = new NonNegativeLeastSquaresSolver();

    @Test
    public void setsNegativeCoefficientsToZero() {
        NonNegativeLeastSquaresSolution solution = solver.solve(rows(new double[][] {{1, 0}, {0, 1}}, 2, -1));

        assertThat(solution.toArray()).containsExactly(2, 0);
        assertThat(solution.residualNorm()).isEqualTo(1);
        assertThat(solution.hasConverged()).isTrue();
    }

    @Test
    public void removesAColumnThatTurnsNegative() {
        // b = −0.1·first + second + third, and the first has the largest product with b.
        double[][] rows = {{1, 1, 0}, {1, 0, 1}, {0.2, 0.5, 0.5}};
        NonNegativeLeastSquaresSolution solution = solver.solve(rows(rows, 0.9, 0.9, 0.98));

        assertThat(solution.value(0)).isZero();
        assertThat(solution.iterations()).isGreaterThan(3);
    }

    @Test
    public void solvesWithColumnsOfVeryDifferentSizes() {
        NonNegativeLeastSquaresSolution solution =
                solver.solve(rows(new double[][] {{1e150, 1e-150}, {1e150, -1e-150}, {0, 1e-150}}, 3, 1, 1));

        assertThat(solution.value(0)).isCloseTo(2e-150, within(1e-162));
        assertThat(solution.value(1)).isCloseTo(1e150, within(1e138));
    }

    @Test
    public void solvesWithTheLargestAndSmallestNumbers() {
        NonNegativeLeastSquaresSolution solution =
                solver.solve(rows(new double[][] {{1e308, 1e-308}, {1e308, 2e-308}}, 1e308, 1e308));

        assertThat(solution.value(0)).isCloseTo(1, within(1e-12));
        assertThat(solver.solve(rows(new double[][] {{1e-300}}, 1e300)).value(0))
                .isEqualTo(Double.MAX_VALUE);
    }

    @Test
    public void solvesWithZeroAndRepeatedColumns() {
        double[][] rows = {{0, 1, 1, 2}, {0, 2, 2, 4}, {0, 3, 3, 6}};
        NonNegativeLeastSquaresSolution solution = solver.solve(rows(rows, 2, 4, 6));

        assertThat(solution.value(0)).isZero();
        assertThat(solution.value(1) + solution.value(2) + 2 * solution.value(3))
                .isCloseTo(2, within(1e-14));
        assertThat(solution.residualNorm()).isLessThan(1e-14);
    }

    @Test
    public void solvesWithFewerRowsThanColumns() {
        NonNegativeLeastSquaresSolution solution = solver.solve(rows(new double[][] {{1, 2, 3}}, 6));

        assertThat(solution.residualNorm()).isLessThan(1e-14);
    }

    @Test
    public void returnsZeroForAZeroRightSide() {
        assertThat(solver.solve(rows(new double[][] {{1, 2}, {3, 4}}, 0, 0)).toArray())
                .containsExactly(0, 0);
    }

    @Test
    public void reportsThatTheIterationLimitStoppedIt() {
        Random random = new Random(5);
        boolean stopped = false;
        for (int draw = 0; draw < 100; draw++) {
            NonNegativeLeastSquaresProblem problem = random(random, 8, 6, 1);
            NonNegativeLeastSquaresSolution limited = new NonNegativeLeastSquaresSolver(1, 1e-15).solve(problem);
            stopped |= !limited.hasConverged();
            assertThat(limited.iterations()).isLessThanOrEqualTo(6);
            for (double value : limited.toArray()) {
                assertThat(value).isNotNegative();
            }
        }
        assertThat(stopped).isTrue();
    }

    @Test
    public void rejectsInvalidProblems() {
        assertThatThrownBy(() -> rows(new double[][] {{1, Double.NaN}}, 1))
                .hasMessageContaining("NaN in row 0 of column 1");
        assertThatThrownBy(() -> rows(new double[][] {{1, 2}, {3}}, 1, 2)).hasMessageContaining("Row 1 has 1");
        assertThatThrownBy(() -> rows(new double[][] {{1}}, 1, 2)).hasMessageContaining("column 0 has 1 rows");
        assertThatThrownBy(() -> rows(new double[][] {})).hasMessageContaining("at least one row");
        assertThatThrownBy(() -> solver.withTolerancePerRow(0)).hasMessageContaining("0.0");
    }

    /** Checks the Karush-Kuhn-Tucker conditions: no coefficient is negative, no larger one and no change of a positive one helps. */
    @Property(trials = 300)
    public void satisfiesTheOptimalityConditions(
            long seed, @InRange(minInt = 1, maxInt = 30) int m, @InRange(minInt = 1, maxInt = 8) int n) {
        Random random = new Random(seed);
        NonNegativeLeastSquaresProblem problem = random(random, m, n, random.nextInt(12));

        NonNegativeLeastSquaresSolution solution = solver.solve(problem);

        assertThat(solution.hasConverged()).isTrue();
        double[] residual = problem.residual(solution.toArray());
        double[] norms = new double[n + 1];
        problem.scaledRightSide(norms);
        for (int j = 0; j < n; j++) {
            double[] scaledColumn = problem.scaledColumn(j, norms);
            double slope = 0;
            for (int i = 0; i < m; i++) {
                slope += scaledColumn[i] * residual[i] / norms[n];
            }
            assertThat(solution.value(j)).isNotNegative();
            assertThat(slope).as("raising x" + j + " must not help").isLessThan(1e-11);
            if (solution.value(j) > 0) {
                assertThat(slope).as("x" + j + " must rest").isCloseTo(0, within(1e-11));
            }
        }
    }

    private static NonNegativeLeastSquaresProblem rows(double[][] rows, double... rightSide) {
        return NonNegativeLeastSquaresProblem.ofRows(rows, rightSide);
    }

    /** Draws columns whose sizes span {@code decades} powers of ten. Some depend linearly on their neighbour. */
    private static NonNegativeLeastSquaresProblem random(Random random, int m, int n, int decades) {
        double[][] columns = new double[n][m];
        double[] right = new double[m];
        for (int j = 0; j < n; j++) {
            double size = Math.pow(10, random.nextDouble() * decades);
            boolean dependent = j > 0 && random.nextInt(5) == 0;
            for (int i = 0; i < m; i++) {
                columns[j][i] = dependent ? size * columns[j - 1][i] : size * random.nextGaussian();
            }
        }
        for (int i = 0; i < m; i++) {
            right[i] = random.nextGaussian();
        }
        return NonNegativeLeastSquaresProblem.ofColumns(columns, right);
    }
}
