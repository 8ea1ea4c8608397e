package io.optimus.model.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.model.SharedData;
import io.optimus.model.TestCategory.ReferenceData;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Compares solutions with those of another implementation. */
@Category(ReferenceData.class)
public class NonNegativeLeastSquaresReferenceTest {
    /** Only the residuals of these problems are compared: their solutions are not unique or determined to few digits only. */
    private static final Set<String> NOT_UNIQUE = Set.of("collinear", "rank-deficient");

    @Test
    public void matchesReferenceSolutionsAndResiduals() throws Exception {
        Map<String, double[]> worst = new TreeMap<>();
        int cases = 0;
        for (JsonNode node : new ObjectMapper()
                .readTree(SharedData.file("numerics/nnls-reference-cases.json").toFile())) {
            String kind = node.get("kind").asText();
            NonNegativeLeastSquaresProblem problem = problem(node);
            NonNegativeLeastSquaresSolution solution = new NonNegativeLeastSquaresSolver().solve(problem);
            double[] error = worst.computeIfAbsent(kind, k -> new double[2]);
            error[0] = Math.max(error[0], relativeError(problem, solution.toArray(), numbers(node.get("x"))));
            double expected = node.get("residualNorm").asDouble();
            // The tolerance is 1e-8 of the residual. If the exact residual is zero, only rounding of |b| is allowed.
            double tolerance = 1e-8 * expected + 1e-13 * norm(numbers(node.get("b")));
            error[1] =
                    Math.max(error[1], 1e-8 * (solution.residualNorm() - expected) / (tolerance + Double.MIN_NORMAL));
            assertThat(solution.hasConverged()).as(kind).isTrue();
            assertThat(solution.residualNorm()).as(kind).isCloseTo(expected, within(tolerance));
            cases++;
        }
        assertThat(cases).isEqualTo(160);
        worst.forEach((kind, error) -> {
            System.out.printf("%-15s solution off by %.1e, residual norm above by %.1e%n", kind, error[0], error[1]);
            if (!NOT_UNIQUE.contains(kind)) {
                assertThat(error[0]).as("solution, " + kind).isLessThan(1e-8);
            }
        });
    }

    private static NonNegativeLeastSquaresProblem problem(JsonNode node) {
        double[][] rows = new double[node.get("a").size()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = numbers(node.get("a").get(i));
        }
        return NonNegativeLeastSquaresProblem.ofRows(rows, numbers(node.get("b")));
    }

    private static double[] numbers(JsonNode array) {
        double[] numbers = new double[array.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = array.get(i).asDouble();
        }
        return numbers;
    }

    private static double norm(double[] numbers) {
        double squares = 0;
        for (double number : numbers) {
            squares += number * number;
        }
        return Math.sqrt(squares);
    }

    /** The largest difference over the largest value. Both are multiplied by the lengths of their columns, so scales do not matter. */
    private static double relativeError(NonNegativeLeastSquaresProblem problem, double[] actual, double[] expected) {
        double difference = 0;
        double largest = Double.MIN_NORMAL;
        double[] norms = new double[expected.length];
        for (int j = 0; j < expected.length; j++) {
            problem.scaledColumn(j, norms);
            difference = Math.max(difference, norms[j] * Math.abs(actual[j] - expected[j]));
            largest = Math.max(largest, norms[j] * Math.abs(expected[j]));
        }
        return difference / largest;
    }
}
