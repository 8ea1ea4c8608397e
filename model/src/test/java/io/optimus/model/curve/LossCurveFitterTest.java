package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.curve.LossCurve.PowerLaw;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class LossCurveFitterTest {
    private static final LossCurveFitter FITTER = new LossCurveFitter();

    @Test
    public void recoversACurveInTheJobsOwnUnits() {
        LossCurve truth = new InverseDecay(0.02, 1.25, 0.2, 7, 0);

        InverseDecay found =
                (InverseDecay) fitted(history(0, 10, 100, k -> truth.lossAt(k))).curve();

        assertThat(found.scale()).isCloseTo(7, within(1e-9));
        assertThat(found.b0()).isCloseTo(0.02, within(1e-6));
        assertThat(found.b1()).isCloseTo(1.25, within(1e-5));
        assertThat(found.b2()).isCloseTo(0.2, within(1e-6));
        assertThat(found.lossAt(1e6)).isCloseTo(truth.lossAt(1e6), within(1e-5));
    }

    @Property(trials = 100)
    public void recoversEveryExactCurve(
            @InRange(minDouble = 0.5, maxDouble = 100) double fall,
            @InRange(minDouble = 0, maxDouble = 0.9) double limit,
            @InRange(minDouble = 1e-6, maxDouble = 1e6) double scale,
            @InRange(minInt = 8, maxInt = 128) int points) {
        double b0 = fall / (points * 50.0) / (1 - limit);
        LossCurve truth = new InverseDecay(b0, 1 / (1 - limit), limit, scale, 0);

        LossCurve found = fitted(history(0, 50, points, k -> truth.lossAt(k))).curve();

        assertThat(found.limit()).isCloseTo(truth.limit(), within(1e-4 * scale));
        assertThat(found.lossAt(points * 100.0)).isCloseTo(truth.lossAt(points * 100.0), within(1e-4 * scale));
    }

    @Test
    public void fitsCurvesWithNoiseAndOutliers() {
        LossCurve truth = new InverseDecay(0.002, 1.1, 0.1, 2.3, 0);
        Random random = new Random(3);
        double worst = 0;
        for (int draw = 0; draw < 50; draw++) {
            CurveFit.Fitted fit = fitted(history(
                    0,
                    10,
                    300,
                    k -> random.nextInt(40) == 0
                            ? 20 * random.nextDouble()
                            : truth.lossAt(k) * (1 + 0.03 * random.nextGaussian())));
            worst = Math.max(worst, Math.abs(fit.curve().lossAt(6000) / truth.lossAt(6000) - 1));
        }

        System.out.printf(
                "noise 3 %%, outliers 2.5 %%: loss at twice the steps off by %.1f %% at worst%n", 100 * worst);
        assertThat(worst).isLessThan(0.15);
    }

    @Test
    public void fitsAFlatCurveToAConstantLoss() {
        CurveFit.Fitted flat = fitted(history(0, 1, 50, k -> 3));
        CurveFit.Fitted zero = fitted(history(0, 1, 50, k -> 0));

        assertThat(flat.curve().isFlat()).isTrue();
        assertThat(flat.curve().lossAt(1000)).isCloseTo(3, within(1e-9));
        assertThat(flat.residual()).isLessThan(1e-9);
        assertThat(zero.curve().lossAt(10)).isCloseTo(0, within(1e-9));
    }

    @Test
    public void recoversACurveOfEachFamily() {
        List<LossCurve> truths = List.of(
                new PowerLaw(5, 0.01, 0.4, 1, 0),
                new PowerLaw(5, 0.02, 2.5, 1, 0),
                new ExponentialDecay(5, 0.003, 1, 0),
                new InverseDecay(0.02, 1.25, 0.2, 7, 0));
        for (LossCurve truth : truths) {
            LossCurve found = fitted(history(0, 10, 100, k -> truth.lossAt(k))).curve();

            assertThat(found).hasSameClassAs(truth);
            assertThat(found.lossAt(5000)).as("%s", truth).isCloseTo(truth.lossAt(5000), within(0.02));
        }
    }

    @Test
    public void prefersThePapersFormWhenNoiseHidesTheFamily() {
        Random random = new Random(3);
        LossCurve truth = new ExponentialDecay(1, 0.002, 1, 0);

        LossCurve found = fitted(history(0, 10, 30, k -> truth.lossAt(k) + 0.1 * random.nextGaussian()))
                .curve();

        assertThat(found).isInstanceOf(InverseDecay.class);
    }

    @Test
    public void plausibleCurvesLieOnBothSidesOfTheTruth() {
        Random random = new Random(4);
        LossCurve truth = new InverseDecay(0.005, 1, 0.2, 1, 0);
        CurveFit.Fitted fit = fitted(history(0, 10, 60, k -> truth.lossAt(k) + 0.03 * random.nextGaussian()));

        assertThat(fit.plausible()).anyMatch(curve -> curve.lossAt(5000) < truth.lossAt(5000));
        assertThat(fit.plausible()).anyMatch(curve -> curve.lossAt(5000) > truth.lossAt(5000));
        assertThat(fit.plausible()).hasSizeLessThan(12);
    }

    @Test
    public void fitsThePointsAfterAnUnreportedDrop() {
        LossHistory history = history(0, 10, 100, k -> (k < 600 ? 2 : 0.5) + 1 / (0.1 * k + 1));

        CurveFit.Fitted fit = fitted(history);

        assertThat(fit.bend()).hasValue(600);
        assertThat(fit.inWords()).contains("since the bend at step 600");
        assertThat(fit.curve().lossAt(2000)).isCloseTo(0.5, within(0.02));
        LossCurve acrossTheDrop =
                LossCurveFitter.ofThePaper().fit(history).fitted().orElseThrow();
        assertThat(acrossTheDrop.lossAt(0)).isNotCloseTo(3, within(0.3));
    }

    @Test
    public void shiftsTheCurveBeforeADropToTheNewLevelWhileFewPointsFollow() {
        CurveFit.Fitted fit = fitted(history(0, 10, 64, k -> k < 600 ? 2 : 0.5));

        assertThat(fit.young()).isTrue();
        assertThat(fit.curve().lossAt(1000)).isCloseTo(0.5, within(0.01));
    }

    @Test
    public void reportsARisingLossAsDiverging() {
        CurveFit rising = FITTER.fit(history(0, 1, 50, k -> 1 + 0.1 * k));
        CurveFit exploding = FITTER.fit(history(0, 1, 50, k -> k < 40 ? 2 / (1 + k) : Math.exp(k - 40)));

        assertThat(rising).isInstanceOf(CurveFit.Diverging.class);
        assertThat(rising.fitted().orElseThrow().isFlat()).isTrue();
        assertThat(rising.inWords()).startsWith("the loss rises: 1.3").endsWith("until step 49");
        assertThat(exploding).isInstanceOf(CurveFit.Diverging.class);
    }

    @Test
    public void doesNotReportAWarmRestartOrAPlateauAsDiverging() {
        Random random = new Random(8);
        assertThat(FITTER.fit(history(0, 1, 100, k -> 1 / (1 + 0.1 * (k % 60)))))
                .isInstanceOf(CurveFit.Fitted.class);
        int alarms = 0;
        for (int draw = 0; draw < 200; draw++) {
            alarms += FITTER.fit(history(0, 1, 60, k -> 1 + 0.1 * random.nextGaussian())) instanceof CurveFit.Diverging
                    ? 1
                    : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(4);
    }

    @Test
    public void reportsThatTheLatestLossesAreInvalid() {
        CurveFit fit = FITTER.fit(history(0, 1, 60, k -> k < 50 ? 1 / (1 + k) : Double.NaN));

        assertThat(fit).isEqualTo(new CurveFit.Impossible("none of the last 10 reported losses is a finite number"));
    }

    @Test
    public void fitsLossesBelowZero() {
        LossCurve found =
                fitted(history(0, 10, 100, k -> -3 + 2 / (0.01 * k + 1))).curve();

        assertThat(found.lossAt(500)).isCloseTo(-3 + 2.0 / 6, within(1e-3));
        assertThat(found.limit()).isCloseTo(-3, within(1e-2));
    }

    @Test
    public void fitsOnlyThePointsSinceTheBend() {
        LossHistory history = history(0, 10, 100, k -> 1 / (0.001 * k + 1) + 1);
        history.bend();
        LossCurve after = new InverseDecay(0.01, 1, 0.25, 1, 1000);
        for (int step = 1000; step < 1500; step += 10) {
            history.add(new LossPoint(step, after.lossAt(step)));
        }

        CurveFit.Fitted fit = fitted(history);

        assertThat(fit.points()).isEqualTo(50);
        assertThat(fit.curve().firstStep()).isEqualTo(1000);
        assertThat(fit.curve().limit()).isCloseTo(0.25, within(1e-4));
    }

    @Test
    public void usesTheCurveBeforeTheBendAsAYoungFit() {
        LossHistory history = history(0, 10, 100, k -> 1 / (0.01 * k + 1));
        history.bend();
        history.add(new LossPoint(1000, 0.05));

        CurveFit.Fitted fit = fitted(history);

        assertThat(fit.young()).isTrue();
        assertThat(fit.points()).isEqualTo(100);
    }

    @Test
    public void waitsForEnoughPoints() {
        assertThat(FITTER.fit(history(0, 1, 7, k -> 1))).isEqualTo(new CurveFit.NotYet(7, 8));
        assertThat(fitted(history(0, 1, 8, k -> 1)).young()).isTrue();
        assertThat(fitted(history(0, 1, 24, k -> 1)).young()).isFalse();
    }

    @Test
    public void reportsThatAllLossesAreInvalid() {
        CurveFit fit = FITTER.fit(history(0, 1, 20, k -> Double.NaN));

        assertThat(fit).isInstanceOf(CurveFit.Impossible.class);
        assertThat(fit.inWords()).contains("none of the 20 reported losses");
    }

    /** The scale is a power of two and the shift a whole number of steps, so the results are equal to the last bit. */
    @Property(trials = 100)
    public void doesNotDependOnTheUnitOfLossOrTheFirstStep(long seed, @InRange(minInt = 8, maxInt = 300) int points) {
        Random random = new Random(seed);
        double[] losses = random.doubles(points).map(x -> 0.1 + x).sorted().toArray();
        LossCurve plain = fitted(history(0, 50, points, k -> losses[points - 1 - (int) k / 50]))
                .curve();

        LossCurve other = fitted(history(7000, 50, points, k -> 1024 * losses[points - 1 - ((int) k - 7000) / 50]))
                .curve();

        for (int step : new int[] {0, 50, 1000, 1_000_000}) {
            // Subnormal numbers lose bits.
            assertThat(other.lossAt(7000 + step)).isCloseTo(1024 * plain.lossAt(step), within(1e-300));
        }
    }

    @Test
    public void isImpossibleWhenStepsAreEqualAsDoubles() {
        LossHistory history = new LossHistory(100);
        for (int i = 0; i < 20; i++) {
            history.add(new LossPoint(Long.MAX_VALUE - 100 + i, 1.0 / (i + 1)));
        }

        assertThat(FITTER.fit(history)).isInstanceOf(CurveFit.Impossible.class);
    }

    @Property(trials = 150)
    public void isFiniteForAnyReportedLosses(long seed, @InRange(minInt = 1, maxInt = 700) int points) {
        Random random = new Random(seed);
        double size = Math.pow(10, random.nextInt(120) - 20);
        double[] hostile = {Double.NaN, 1e300, -1e300, Double.NEGATIVE_INFINITY, 0, -0.0, 1e-300, -size, 1e99};
        LossHistory history = new LossHistory(100);
        for (int i = 0; i < points; i++) {
            double loss = random.nextInt(4) == 0 ? hostile[random.nextInt(hostile.length)] : size * random.nextDouble();
            history.add(new LossPoint(random.nextInt(10) == 0 ? random.nextLong() : i * 7L, loss));
            if (random.nextInt(200) == 0) {
                history.bend();
            }
        }

        if (FITTER.fit(history) instanceof CurveFit.Fitted fit) {
            LossCurve curve = fit.curve();
            assertThat(fit.residual()).isFinite().isNotNegative();
            for (double step : new double[] {0, 1, 1000, 1e9, 1e18}) {
                assertThat(curve.lossAt(curve.firstStep() + step)).isFinite();
            }
        }
    }

    @Test
    public void fitsThousandsOfJobsASecond() {
        Random random = new Random(1);
        LossHistory history = history(0, 3, 511, k -> 2 / (0.01 * k + 1) + 0.1 + 0.05 * random.nextGaussian());
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double micros = Double.POSITIVE_INFINITY;
        for (int batch = 0; batch < 8; batch++) {
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < 100; i++) {
                fitted(history);
            }
            micros = Math.min(micros, (threads.getCurrentThreadCpuTime() - start) / 1e5);
        }

        System.out.printf("fit of a loss curve through 511 points: %.0f µs%n", micros);
        assertThat(micros).as("µs; about thirty times the time on a free core").isLessThan(10_000);
    }

    private static CurveFit.Fitted fitted(LossHistory history) {
        CurveFit fit = FITTER.fit(history);
        assertThat(fit).isInstanceOf(CurveFit.Fitted.class);
        return (CurveFit.Fitted) fit;
    }

    private static LossHistory history(long first, long every, int points, DoubleUnaryOperator loss) {
        LossHistory history = new LossHistory(100);
        for (int i = 0; i < points; i++) {
            history.add(new LossPoint(first + i * every, loss.applyAsDouble((double) (first + i * every))));
        }
        return history;
    }
}
