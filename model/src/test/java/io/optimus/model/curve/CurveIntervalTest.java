package io.optimus.model.curve;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.SeededCurves;
import io.optimus.model.SeededCurves.Noise;
import io.optimus.model.TestCategory.Slow;
import java.util.Random;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Prints how often the interval of the plausible curves holds the truth. The rates must stay within bounds. */
@Category(Slow.class)
public class CurveIntervalTest {
    private static final int DRAWS = 90;
    private static final int POINTS = 600;

    @Test(timeout = 60_000)
    public void holdsTheTrueFinalLossInMostCases() {
        System.out.println("of the loss at the end, the plausible curves at 0.3, 0.5, 0.7 of the training hold:");
        double all = 0;
        int cells = 0;
        for (Noise kind : Noise.values()) {
            for (double noise : new double[] {0.005, 0.02, 0.05}) {
                StringBuilder line = new StringBuilder(String.format("%-13s noise %.3f:", kind, noise));
                for (double part : new double[] {0.3, 0.5, 0.7}) {
                    double held = held(kind, noise, (int) (part * POINTS));
                    line.append(String.format(" %.0f %%", 100 * held));
                    assertThat(held).as("%s %s %s", kind, noise, part).isGreaterThan(0.8);
                    all += held;
                    cells++;
                }
                System.out.println(line);
            }
        }
        System.out.printf("on average %.0f %%%n", 100 * all / cells);
        assertThat(all / cells).isBetween(0.92, 0.98);
    }

    private static double held(Noise kind, double noise, int points) {
        int held = 0;
        for (int seed = 0; seed < DRAWS; seed++) {
            LossCurve truth = SeededCurves.drawn(seed, 10.0 * POINTS);
            double[] losses = SeededCurves.losses(truth::lossAt, points, 10, kind, noise, new Random(7L * seed));
            CurveFit fit = new LossCurveFitter().fit(SeededCurves.history(losses, 10, 100));
            double end = truth.lossAt(10.0 * POINTS);
            double lowest = fit.fitted().orElseThrow().lossAt(10.0 * POINTS);
            double highest = lowest;
            for (LossCurve plausible : fit.plausible()) {
                lowest = Math.min(lowest, plausible.lossAt(10.0 * POINTS));
                highest = Math.max(highest, plausible.lossAt(10.0 * POINTS));
            }
            held += lowest <= end && end <= highest ? 1 : 0;
        }
        return held / (double) DRAWS;
    }
}
