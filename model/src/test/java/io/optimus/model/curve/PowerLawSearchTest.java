package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.TestCategory.Slow;
import io.optimus.model.curve.FamilySelection.CandidateCurve;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;

@Category(Slow.class)
@RunWith(JUnitQuickcheck.class)
public class PowerLawSearchTest {
    private static final int DRAWS = 5000;

    /** The draws include flat valleys, and cases where the search moves along a limit of 0. */
    @Test
    public void recoversThePowerLawOfThePoints() {
        Random random = new Random(1);
        for (int i = 0; i < DRAWS; i++) {
            double exponent = 0.3 + 2.7 * random.nextDouble();
            double rate = Math.pow(2, 1 + 5 * random.nextDouble());
            double limit = 0.3 * random.nextDouble();
            CurvePoints points = points(step -> Math.pow(1 + rate * step, -exponent) + limit);
            assertThat(Math.sqrt(new PowerLawSearch(points).best().meanSquare()))
                    .as("exponent %s, rate %s, limit %s", exponent, rate, limit)
                    .isLessThan(1e-9);
        }
    }

    /** The grid of rates and exponents is four times as fine as the one from which the search begins. */
    @Property(trials = 50)
    public void isBetterThanAllCurvesOfAFinerGrid(
            @InRange(minDouble = 0.2, maxDouble = 3) double exponent,
            @InRange(minDouble = 0, maxDouble = 0.3) double limit,
            @InRange(minDouble = 0, maxDouble = 0.1) double noise,
            long seed) {
        Random random = new Random(seed);
        CurvePoints points =
                points(step -> Math.pow(1 + 10 * step, -exponent) + limit + noise * random.nextGaussian() + noise);
        double best = new PowerLawSearch(points).best().meanSquare();

        for (double log = -3; log <= 2; log += 0.5) {
            CandidateCurve other = new RateSearch(points, new Shape.Power(Math.pow(2, log)))
                    .onGrid(1)
                    .best();
            assertThat(best).isLessThanOrEqualTo(1.02 * other.meanSquare() + 1e-9);
        }
    }

    @Test
    public void fitsAFlatCurve() {
        CandidateCurve best = new PowerLawSearch(points(step -> 1)).best();

        assertThat(best.limit()).isCloseTo(1, within(1e-9));
        assertThat(best.amplitude()).isZero();
    }

    private static CurvePoints points(DoubleUnaryOperator loss) {
        double[] steps = new double[100];
        Arrays.setAll(steps, i -> i / 99.0);
        return new CurvePoints(steps, Arrays.stream(steps).map(loss).toArray(), 2);
    }
}
