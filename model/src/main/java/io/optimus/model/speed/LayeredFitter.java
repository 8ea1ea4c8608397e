package io.optimus.model.speed;

import io.optimus.model.Allocation;
import io.optimus.model.numerics.NonNegativeLeastSquaresProblem;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolution;
import io.optimus.model.numerics.NonNegativeLeastSquaresSolver;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fits the four unknowns of a {@link LayeredSpeed}, given the layers.
 *
 * <p>Once it is known which layer each measured size waits for, the seconds are linear in the unknowns: non-negative
 * least squares of relative errors, as {@link SpeedFitter} does. Which layer it is follows from the unknowns; so the two
 * are found in turn until the layers stay the same, from several first guesses, and the best is kept. Stateless.
 */
public final class LayeredFitter {
    /** Sizes fewer than unknowns would be fitted by anything. */
    private static final int FEWEST_SIZES = 4;

    /** It takes 2 to 5; where two solutions take turns, the better one was seen by then. */
    private static final int TURNS = 12;

    /** First guesses of transfers over backward pass on one worker and one server: hidden, equal, dominant. */
    private static final double[] GUESSES = {0.1, 1, 10};

    private final Layers layers;
    private final double globalBatch;
    private final NonNegativeLeastSquaresSolver solver = new NonNegativeLeastSquaresSolver();

    /** For a network of {@code layers}, trained with {@code globalBatch} samples a step, above 0. */
    public LayeredFitter(Layers layers, double globalBatch) {
        if (!(globalBatch > 0 && globalBatch < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("A global batch is above 0, got " + globalBatch);
        }
        this.layers = layers;
        this.globalBatch = globalBatch;
    }

    private record Candidate(LayeredSpeed speed, double error) {}

    /** The function through {@code measured}; empty where fewer than {@value #FEWEST_SIZES} sizes were measured. */
    public Optional<LayeredSpeed> fit(MeasuredSizes measured) {
        if (measured.allocations().size() < FEWEST_SIZES) {
            return Optional.empty();
        }
        @Nullable Candidate best = null;
        for (double guess : GUESSES) {
            LayeredSpeed speed = new LayeredSpeed(layers, globalBatch, 1 / globalBatch, 0, guess, 0);
            int[] before = {};
            for (int turn = 0; turn < TURNS; turn++) {
                int[] critical = criticalLayers(speed, measured);
                if (Arrays.equals(critical, before)) {
                    break;
                }
                before = critical;
                speed = solve(critical, measured);
                double error = squaredError(speed, measured);
                if (best == null || error < best.error()) {
                    best = new Candidate(speed, error);
                }
            }
        }
        return Optional.ofNullable(best)
                .filter(found -> Double.isFinite(found.error()))
                .map(Candidate::speed);
    }

    private static int[] criticalLayers(LayeredSpeed speed, MeasuredSizes measured) {
        return measured.sizes().stream()
                .mapToInt(size -> speed.critical(size.allocation()))
                .toArray();
    }

    private LayeredSpeed solve(int[] critical, MeasuredSizes measured) {
        double[][] rows = new double[critical.length][];
        double[] rightSide = new double[critical.length];
        for (int i = 0; i < rows.length; i++) {
            MeasuredSize size = measured.sizes().get(i);
            double root = Math.sqrt(size.weight());
            rows[i] = LayeredSpeed.features(layers, globalBatch, size.allocation(), critical[i]);
            for (int j = 0; j < rows[i].length; j++) {
                rows[i][j] *= root * size.stepsPerSecond();
            }
            rightSide[i] = root;
        }
        NonNegativeLeastSquaresSolution t = solver.solve(NonNegativeLeastSquaresProblem.ofRows(rows, rightSide));
        return new LayeredSpeed(layers, globalBatch, t.value(0), t.value(1), t.value(2), t.value(3));
    }

    private static double squaredError(LayeredSpeed speed, MeasuredSizes measured) {
        double sum = 0;
        for (MeasuredSize size : measured.sizes()) {
            Allocation allocation = size.allocation();
            double miss = size.stepsPerSecond() / speed.stepsPerSecond(allocation) - 1;
            sum += size.weight() * miss * miss;
        }
        return sum;
    }
}
