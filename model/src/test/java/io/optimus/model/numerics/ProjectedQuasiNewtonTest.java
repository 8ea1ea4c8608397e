package io.optimus.model.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ProjectedQuasiNewtonTest {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final ProjectedQuasiNewton minimizer = new ProjectedQuasiNewton(200);

    @Test
    public void stopsAtTheBounds() {
        BoundedMinimum minimum = minimizer.minimize(
                new BoundedProblem(
                        (x, gradient) -> {
                            gradient[0] = 2 * (x[0] - 2);
                            gradient[1] = 2 * (x[1] + 1);
                            return (x[0] - 2) * (x[0] - 2) + (x[1] + 1) * (x[1] + 1);
                        },
                        new double[] {0, 0},
                        new double[] {1, INFINITY}),
                new double[] {0.5, 7});

        assertThat(minimum.point()).containsExactly(1, 0);
        assertThat(minimum.value()).isEqualTo(2);
        assertThat(minimum.hasConverged()).isTrue();
    }

    @Test
    public void minimizesRosenbrocksFunction() {
        double[] free = {-INFINITY, -INFINITY};
        BoundedMinimum minimum = minimizer.minimize(
                new BoundedProblem(ProjectedQuasiNewtonTest::rosenbrock, free, new double[] {INFINITY, INFINITY}),
                new double[] {-1.2, 1});

        assertThat(minimum.point()).containsExactly(new double[] {1, 1}, within(1e-6));
        assertThat(minimum.iterations()).isLessThan(60);
    }

    /** For x of at most 1/2, the minimum is at (1/2, 1/4). */
    @Test
    public void minimizesRosenbrocksFunctionAtABound() {
        BoundedMinimum minimum = minimizer.minimize(
                new BoundedProblem(
                        ProjectedQuasiNewtonTest::rosenbrock, new double[] {-2, -2}, new double[] {0.5, INFINITY}),
                new double[] {-1.2, 1});

        assertThat(minimum.point()).containsExactly(new double[] {0.5, 0.25}, within(1e-6));
    }

    @Test
    public void keepsAVariableWithEqualBoundsFixed() {
        BoundedMinimum minimum = minimizer.minimize(
                new BoundedProblem(ProjectedQuasiNewtonTest::rosenbrock, new double[] {2, -9}, new double[] {2, 9}),
                new double[] {0, 0});

        assertThat(minimum.point()).containsExactly(new double[] {2, 4}, within(1e-6));
    }

    @Test
    public void reportsThatTheIterationLimitStoppedIt() {
        BoundedProblem problem =
                new BoundedProblem(ProjectedQuasiNewtonTest::rosenbrock, new double[] {-2, -2}, new double[] {2, 2});

        BoundedMinimum early = new ProjectedQuasiNewton(3).minimize(problem, new double[] {-1.2, 1});

        assertThat(early.hasConverged()).isFalse();
        assertThat(early.iterations()).isEqualTo(3);
        assertThat(early.value()).isLessThan(rosenbrock(new double[] {-1.2, 1}, new double[2]));
    }

    @Test
    public void stepsBackFromUndefinedValues() {
        BoundedMinimum minimum = minimizer.minimize(
                new BoundedProblem(
                        (x, gradient) -> {
                            gradient[0] = 1 - 1 / x[0];
                            return x[0] - Math.log(x[0]); // NaN below 0
                        },
                        new double[] {-INFINITY},
                        new double[] {INFINITY}),
                new double[] {1e-3});

        assertThat(minimum.point()).containsExactly(new double[] {1}, within(1e-6));
    }

    @Test
    public void rejectsInvalidProblems() {
        double[] one = {1};
        double[] two = {1, 2};
        assertThatThrownBy(() -> new BoundedProblem((x, g) -> 0, one, two)).hasMessageContaining("1 and 2");
        assertThatThrownBy(() -> new BoundedProblem((x, g) -> 0, two, new double[] {1, 1}))
                .hasMessageContaining("Bound 1");
        assertThatThrownBy(() -> minimizer.minimize(new BoundedProblem((x, g) -> Double.NaN, one, one), one))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> minimizer.minimize(new BoundedProblem((x, g) -> 0, one, one), two))
                .hasMessageContaining("got 2");
        assertThatThrownBy(() -> new ProjectedQuasiNewton(0)).hasMessageContaining("got 0");
    }

    /** At the minimum of a convex function, no direction within the bounds leads down. */
    @Property(trials = 200)
    public void findsTheMinimumOfRandomLeastSquares(long seed, @InRange(minInt = 1, maxInt = 8) int n) {
        Random random = new Random(seed);
        double[][] rows = new double[n + 2][];
        Arrays.setAll(rows, i -> random.doubles(n, -1, 1).toArray());
        double[] right = random.doubles(n + 2, -3, 3).toArray();
        double[] lower = random.doubles(n, -1, 1).toArray();
        double[] upper = random.doubles(n, 0, 2).toArray();
        for (int j = 0; j < n; j++) {
            upper[j] += lower[j];
        }
        DifferentiableFunction squares = (x, gradient) -> leastSquares(rows, right, x, gradient);

        BoundedMinimum minimum = minimizer.minimize(new BoundedProblem(squares, lower, upper), new double[n]);

        double[] x = minimum.point();
        double[] gradient = new double[n];
        assertThat(squares.valueAndGradient(x, gradient)).isEqualTo(minimum.value());
        for (int j = 0; j < n; j++) {
            assertThat(x[j]).isBetween(lower[j], upper[j]);
            if (x[j] > lower[j]) {
                assertThat(gradient[j]).isLessThan(1e-4);
            }
            if (x[j] < upper[j]) {
                assertThat(gradient[j]).isGreaterThan(-1e-4);
            }
        }
    }

    private static double leastSquares(double[][] rows, double[] right, double[] x, double[] gradient) {
        Arrays.fill(gradient, 0);
        double sum = 0;
        for (int i = 0; i < rows.length; i++) {
            double residual = -right[i];
            for (int j = 0; j < x.length; j++) {
                residual += rows[i][j] * x[j];
            }
            sum += residual * residual;
            for (int j = 0; j < x.length; j++) {
                gradient[j] += 2 * residual * rows[i][j];
            }
        }
        return sum;
    }

    private static double rosenbrock(double[] x, double[] gradient) {
        double across = x[1] - x[0] * x[0];
        gradient[0] = -400 * x[0] * across - 2 * (1 - x[0]);
        gradient[1] = 200 * across;
        return 100 * across * across + (1 - x[0]) * (1 - x[0]);
    }
}
