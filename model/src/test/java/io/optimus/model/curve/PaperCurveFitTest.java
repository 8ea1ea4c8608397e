package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.losses.Preprocessing;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class PaperCurveFitTest {
    private static final LossCurveFitter FITTER = LossCurveFitter.ofThePaper();

    @Test
    public void matchesTheExampleOfTheClassComment() {
        InverseDecay found = fit(40, done -> 0.8 / done + 0.2);

        assertThat(found.b0()).isCloseTo(1.25, within(1e-4));
        // b1 of the curve is relative to the first step, after which one step is done: b0·1 + 0.
        assertThat(found.b1()).isCloseTo(1.25, within(1e-4));
        assertThat(found.b2()).isCloseTo(0.2, within(1e-6));
    }

    @Property(trials = 100)
    public void recoversAnExactCurve(
            @InRange(minDouble = 0.01, maxDouble = 2) double b0,
            @InRange(minDouble = 0, maxDouble = 1) double b1,
            @InRange(minDouble = 0, maxDouble = 0.9) double b2,
            @InRange(minDouble = 1e-6, maxDouble = 1e6) double scale) {
        DoubleUnaryOperator truth = done -> scale * (1 / (b0 * done + b1) + b2);

        InverseDecay found = fit(100, truth);

        for (int step : new int[] {0, 50, 99, 1000, 100_000}) {
            double expected = truth.applyAsDouble(step + 1.0);
            assertThat(found.lossAt(step)).isCloseTo(expected, within(1e-4 * truth.applyAsDouble(1)));
        }
    }

    /** The paper's bounds: all b are 0 or more, and b2 is below the smallest loss. */
    @Property(trials = 200)
    public void keepsAllParametersWithinTheirBounds(long seed, @InRange(minInt = 8, maxInt = 200) int points) {
        Random random = new Random(seed);
        double[] losses = random.doubles(points + 1).map(x -> 0.05 + x).toArray();

        InverseDecay found = fit(points, done -> losses[(int) done]);

        assertThat(found.b0()).isNotNegative();
        assertThat(found.b1() - found.b0()).as("b1 at 0 steps").isGreaterThanOrEqualTo(-1e-12 * found.b1());
        assertThat(found.b2()).isBetween(0.0, 1.0);
        assertThat(found.scale() * found.b2()).isLessThan(largest(losses));
    }

    @Test
    public void isFlatWhenTheLossRises() {
        InverseDecay found = fit(60, done -> 1 + done / 60);

        assertThat(found.isFlat()).isTrue();
        assertThat(found.lossAt(0)).isBetween(1.5, 2.0);
    }

    /** No b0 and b1 of a fine grid are better at the b2 that was found. */
    @Property(trials = 30)
    public void isBetterThanAllCurvesOfAGrid(long seed) {
        Random random = new Random(seed);
        double[] losses = new double[61];
        for (int done = 1; done < losses.length; done++) {
            losses[done] = 1 / (0.1 * done + 0.5) + 0.2 + 0.02 * random.nextGaussian();
        }
        InverseDecay found = fit(60, done -> losses[(int) done]);
        CurvePoints points = points(losses);
        double least = linearised(points, found.b0(), found.b1() - found.b0(), found.b2());

        for (double slope = 0.5; slope <= 2; slope += 0.05) {
            for (double start = 0; start <= 2; start += 0.05) {
                double other = linearised(points, slope * found.b0(), start * found.b1(), found.b2());
                assertThat(least).isLessThanOrEqualTo(other * (1 + 1e-9));
            }
        }
    }

    /** The loss halves after each third. The weights of the thirds are 1, 16 and 256, so the last third decides. */
    @Test
    public void weighsLateThirdsMore() {
        InverseDecay found = fit(60, done -> done <= 20 ? 4 : done <= 40 ? 2 : 1);

        assertThat(found.lossAt(50)).isBetween(0.9, 1.2);
        assertThat(found.lossAt(0)).isGreaterThan(2);
    }

    @Test
    public void fitsLossesOfZeroAndBelow() {
        assertThat(fit(30, done -> 0).lossAt(10)).isCloseTo(0, within(1e-9));
        assertThat(fit(30, done -> -3 + 2 / done).lossAt(9)).isCloseTo(-2.8, within(0.01));
        assertThat(fit(30, done -> Math.max(0, 1 - done / 10)).lossAt(100)).isBetween(0.0, 0.1);
    }

    @Property(trials = 100)
    public void isFiniteForAnyReportedLosses(long seed) {
        Random random = new Random(seed);
        double size = Math.pow(10, random.nextInt(120) - 20);
        double[] hostile = {Double.NaN, 1e300, 0, -0.0, 1e-300, -size, 1e99};
        LossHistory history = new LossHistory(100);
        for (int i = 0; i < 300; i++) {
            double loss = random.nextInt(4) == 0 ? hostile[random.nextInt(hostile.length)] : size * random.nextDouble();
            history.add(new LossPoint(random.nextInt(10) == 0 ? random.nextLong() : i * 7L, loss));
        }

        if (FITTER.fit(history) instanceof CurveFit.Fitted fit) {
            assertThat(fit.residual()).isFinite().isNotNegative();
            for (double step : new double[] {0, 1, 1000, 1e9, 1e18}) {
                assertThat(fit.curve().lossAt(fit.curve().firstStep() + step)).isFinite();
            }
        }
    }

    @Test
    public void fitsALossTooSmallForAGrid() {
        // The smallest loss divided by the largest and by 64 is too small for a double.
        isFiniteForAnyReportedLosses(1119433778940701915L);
    }

    private static double linearised(CurvePoints points, double b0, double b1, double b2) {
        double sum = 0;
        for (int i = 0; i < points.size(); i++) {
            double excess = points.loss(i) - b2;
            double missed = excess * excess * (b0 * points.stepsDone(i) + b1) - excess;
            sum += points.weight(i) * missed * missed;
        }
        return sum;
    }

    private static CurvePoints points(double[] losses) {
        LossHistory history = history(losses.length - 1, done -> losses[(int) done]);
        double[] cleaned = Preprocessing.withoutOutliers(history.sinceBend().losses());
        return new CurvePoints(history.sinceBend().steps(), cleaned, 4);
    }

    private static double largest(double[] losses) {
        double largest = 0;
        for (double loss : losses) {
            largest = Math.max(largest, loss);
        }
        return largest;
    }

    private static InverseDecay fit(int points, DoubleUnaryOperator lossByStepsDone) {
        return (InverseDecay)
                FITTER.fit(history(points, lossByStepsDone)).fitted().orElseThrow();
    }

    private static LossHistory history(int points, DoubleUnaryOperator lossByStepsDone) {
        LossHistory history = new LossHistory(100);
        for (int step = 0; step < points; step++) {
            history.add(new LossPoint(step, lossByStepsDone.applyAsDouble(step + 1.0)));
        }
        return history;
    }
}
