package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.SeededCurves;
import io.optimus.model.SeededCurves.Noise;
import io.optimus.model.TestCategory.Slow;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Prints rates of false alarms and delays, which must stay within bounds. The curves are drawn by seed. */
public class BendSearchTest {
    private static final double[] NOISES = {0, 0.002, 0.01, 0.03, 0.1};

    @Test(timeout = 60_000)
    @Category(Slow.class)
    public void rarelyFindsABendInASmoothCurve() {
        System.out.println("false alarms in 300 smooth curves, by noise as a part of the first loss:");
        for (Noise kind : Noise.values()) {
            for (int points : new int[] {16, 64, 256}) {
                StringBuilder line = new StringBuilder(String.format("%-13s %3d points ", kind, points));
                for (double noise : NOISES) {
                    double alarms = alarms(kind, points, noise);
                    line.append(String.format("  %s: %.1f %%", noise, 100 * alarms));
                    assertThat(alarms).as("%s %s %s", kind, points, noise).isLessThanOrEqualTo(0.02);
                }
                System.out.println(line);
            }
        }
    }

    private static double alarms(Noise kind, int points, double noise) {
        int alarms = 0;
        for (int seed = 0; seed < 300; seed++) {
            LossCurve truth = SeededCurves.drawn(seed, points);
            double[] losses =
                    SeededCurves.losses(truth::lossAt, points, 1, kind, noise, new Random(1000L * seed + points));
            alarms += last(losses) > 0 ? 1 : 0;
        }
        return alarms / 300.0;
    }

    /** The rate drops after 150 of 250 points; the search runs after each of the next 60 points. */
    @Test(timeout = 60_000)
    @Category(Slow.class)
    public void findsADropWithinAFewPoints() {
        System.out.println("points until a drop is seen, of 60 curves:");
        for (Noise kind : Noise.values()) {
            for (double noise : new double[] {0.002, 0.01, 0.03}) {
                int median = medianDelay(kind, noise, 0.5);
                System.out.printf(
                        "%-13s noise %.3f: to the half %s, by a fifth %s%n",
                        kind, noise, points(median), points(medianDelay(kind, noise, 0.8)));
                assertThat(median).as("%s %s", kind, noise).isLessThanOrEqualTo(6);
            }
        }
    }

    private static String points(int delay) {
        return delay == Integer.MAX_VALUE ? "not in 60" : String.valueOf(delay);
    }

    private static int medianDelay(Noise kind, double noise, double factor) {
        int[] delays = new int[60];
        for (int seed = 0; seed < delays.length; seed++) {
            LossCurve truth = SeededCurves.drawn(seed, 250);
            DoubleUnaryOperator dropping = step -> truth.lossAt(step) * (step > 150 ? factor : 1);
            double[] losses = SeededCurves.losses(dropping, 210, 1, kind, noise, new Random(seed));
            delays[seed] = delay(losses);
        }
        Arrays.sort(delays);
        return delays[delays.length / 2];
    }

    private static int delay(double[] losses) {
        for (int after = 1; after <= 60; after += after < 12 ? 1 : 6) {
            int found = last(Arrays.copyOf(losses, 150 + after));
            if (Math.abs(found - 150) <= 2) {
                return after;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Test
    public void findsTheLastOfSeveralDrops() {
        double[] losses = losses(100, step -> (step < 30 ? 0.8 : step < 60 ? 0.4 : 0.25) + 0.5 / (1 + step));

        assertThat(last(losses)).isEqualTo(60);
    }

    @Test
    public void findsTheEndOfAWarmUp() {
        double[] losses = losses(100, step -> step < 20 ? 1 - step * step / 4000 : 0.9 * Math.exp((20 - step) / 15));

        assertThat(last(losses)).isBetween(15, 25);
    }

    @Test
    public void findsAWarmRestart() {
        double[] losses = losses(120, step -> 0.2 + Math.exp(-(step % 40) / 8) / (1 + Math.floor(step / 40)));

        assertThat(last(losses)).isEqualTo(80);
    }

    @Test
    public void doesNotDependOnTheUnits() {
        double[] losses = losses(80, step -> (step < 50 ? 2 : 1) / (1 + 0.1 * step) + 0.1);
        double[] steps = steps(80);
        double[] scaled = Arrays.stream(losses).map(loss -> 1024 * loss).toArray();
        double[] later = Arrays.stream(steps).map(step -> 64 * step + 4096).toArray();

        assertThat(BendSearch.last(steps, losses)).isEqualTo(50);
        assertThat(BendSearch.last(later, scaled)).isEqualTo(50);
    }

    @Test
    public void findsNoBendInFewOrEqualPoints() {
        assertThat(last(new double[] {3, 1, 1})).isZero();
        assertThat(last(new double[100])).isZero();
    }

    private static double[] losses(int points, DoubleUnaryOperator truth) {
        return SeededCurves.losses(step -> truth.applyAsDouble(step - 1), points, 1, Noise.NORMAL, 0.01, new Random(5));
    }

    private static int last(double[] losses) {
        return BendSearch.last(steps(losses.length), losses);
    }

    private static double[] steps(int points) {
        double[] steps = new double[points];
        Arrays.setAll(steps, i -> i);
        return steps;
    }
}
