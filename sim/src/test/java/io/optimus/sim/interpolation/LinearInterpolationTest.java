package io.optimus.sim.interpolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.Test;

public class LinearInterpolationTest {
    private static final double ROUNDING = 1e-9;

    private static NavigableMap<GridPoint, double[]> grid(int x, int y, int z, ToDoubleFunction<GridPoint> value) {
        NavigableMap<GridPoint, double[]> values = new TreeMap<>();
        for (int i = 0; i < x; i++) {
            for (int j = 0; j < y; j++) {
                for (int k = 0; k < z; k++) {
                    GridPoint p = new GridPoint(i, j, 4 * k);
                    values.put(p, new double[] {value.applyAsDouble(p)});
                }
            }
        }
        return values;
    }

    @Test
    public void weighsTheCornersOfATetrahedron() {
        NavigableMap<GridPoint, double[]> values = new TreeMap<>(Map.of(
                new GridPoint(0, 0, 0), new double[] {0, 1},
                new GridPoint(4, 0, 0), new double[] {4, 1},
                new GridPoint(0, 4, 0), new double[] {4, 1},
                new GridPoint(0, 0, 4), new double[] {4, 1}));

        assertThat(new LinearInterpolation(values).at(new GridPoint(1, 1, 1))).containsExactly(3, 1);
    }

    @Test(timeout = 30_000)
    public void agreesWithSciPyIfTheTriangulationIsUnique() throws IOException {
        NavigableMap<GridPoint, double[]> values = new TreeMap<>();
        Map<GridPoint, Double> expected = new HashMap<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(getClass().getResourceAsStream("scipy-reference.csv")),
                StandardCharsets.UTF_8))) {
            for (String line :
                    reader.lines().filter(text -> !text.startsWith("#")).toList()) {
                String[] cells = line.split(",", -1);
                GridPoint p = new GridPoint(
                        Integer.parseInt(cells[1]), Integer.parseInt(cells[2]), Integer.parseInt(cells[3]));
                double value = Double.parseDouble(cells[4]);
                if (cells[0].equals("point")) {
                    values.put(p, new double[] {value});
                } else {
                    expected.put(p, value);
                }
            }
        }
        LinearInterpolation interpolation = new LinearInterpolation(values);

        assertThat(expected).hasSize(100);
        expected.forEach(
                (p, value) -> assertThat(interpolation.at(p)[0]).as("%s", p).isCloseTo(value, within(ROUNDING)));
    }

    /** The eight corners of each cell of a grid are on one sphere. */
    @Test(timeout = 30_000)
    public void reproducesALinearFunctionOnAGrid() {
        ToDoubleFunction<GridPoint> linear = p -> 3 + 2 * p.x() - 5 * p.y() + 0.25 * p.z();
        LinearInterpolation interpolation = new LinearInterpolation(grid(8, 9, 10, linear));

        for (int x = 0; x < 8; x++) {
            for (int y = 0; y < 9; y++) {
                for (int z = 0; z <= 36; z++) {
                    GridPoint p = new GridPoint(x, y, z);
                    assertThat(interpolation.at(p)[0]).as("%s", p).isCloseTo(linear.applyAsDouble(p), within(ROUNDING));
                }
            }
        }
    }

    @Test
    public void passesThroughItsPoints() {
        NavigableMap<GridPoint, double[]> values = grid(5, 5, 5, p -> p.x() * p.y() - p.z() * p.z());
        LinearInterpolation interpolation = new LinearInterpolation(values);

        values.forEach((p, value) -> assertThat(interpolation.at(p)[0]).isCloseTo(value[0], within(ROUNDING)));
    }

    @Test
    public void takesTheNearestPointBeyondTheHull() {
        LinearInterpolation interpolation =
                new LinearInterpolation(grid(3, 3, 3, p -> 100 * p.x() + 10 * p.y() + p.z()));

        assertThat(interpolation.at(new GridPoint(2, 9, 4))).containsExactly(224);
        assertThat(interpolation.at(new GridPoint(50, 50, 50))).containsExactly(228);
    }

    /** The middle of a square is on both of its diagonals. */
    @Test
    public void letsTheOrderOfThePointsDecideBetweenDiagonals() {
        NavigableMap<GridPoint, double[]> ascending = new TreeMap<>(Map.of(
                new GridPoint(0, 0, 0), new double[] {0},
                new GridPoint(2, 0, 0), new double[] {0},
                new GridPoint(0, 2, 0), new double[] {0},
                new GridPoint(2, 2, 0), new double[] {1},
                new GridPoint(0, 0, 4), new double[] {0}));
        NavigableMap<GridPoint, double[]> descending = new TreeMap<>(Comparator.comparingInt(GridPoint::x)
                .thenComparing(GridPoint::y, Comparator.reverseOrder())
                .thenComparingInt(GridPoint::z));
        descending.putAll(ascending);
        GridPoint middle = new GridPoint(1, 1, 0);

        assertThat(new LinearInterpolation(ascending).at(middle)).containsExactly(0);
        assertThat(new LinearInterpolation(descending).at(middle)).containsExactly(0.5);
    }

    @Test
    public void refusesPointsInOnePlane() {
        NavigableMap<GridPoint, double[]> flat = grid(4, 4, 1, p -> 1);

        assertThat(LinearInterpolation.isPossible(flat.keySet())).isFalse();
        assertThatThrownBy(() -> new LinearInterpolation(flat)).hasMessageContaining("got 16 points");
    }

    @Test
    public void refusesCoordinatesThatWouldNotBeExact() {
        assertThatThrownBy(() -> new GridPoint(0, GridPoint.LARGEST + 1, 0)).hasMessageContaining("262145");
    }
}
