package io.optimus.model.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.LossCurve.ExponentialDecay;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.losses.EpochLosses;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class EpochNoiseTest {
    private static final LossCurve FLAT = new InverseDecay(0, 1, 0, 1, 0);

    @Test
    public void matchesTheExampleOfTheClassComment() {
        EpochNoise noise = new EpochNoise(FLAT, epochs(List.of(1.00, 1.02, 0.99, 1.00, 1.02, 0.98)), 10);

        assertThat(noise.at(1000)).isCloseTo(0.021, within(1e-3));
    }

    @Test
    public void shrinksWithTheDistanceToTheLimit() {
        LossCurve curve = new InverseDecay(0.01, 1, 0.5, 2, 0);
        Random random = new Random(2);
        double sum = 0;
        for (int draw = 0; draw < 100; draw++) {
            List<Double> means = new ArrayList<>();
            for (int epoch = 0; epoch < 32; epoch++) {
                double smooth = curve.lossAt(10 * epoch + 5);
                means.add(smooth + 0.1 * (smooth - curve.limit()) * random.nextGaussian());
            }
            EpochNoise noise = new EpochNoise(curve, epochs(means), 10);
            assertThat(noise.at(900) / noise.at(0)).isCloseTo(0.1, within(1e-9));
            sum += noise.at(100);
        }

        assertThat(sum / 100).isCloseTo(0.1 * (curve.lossAt(100) - 1), within(0.01));
    }

    @Test
    public void ignoresASingleDrop() {
        EpochNoise noise = new EpochNoise(FLAT, epochs(List.of(9.0, 8.9, 9.1, 1.0, 1.1, 0.9, 1.0, 1.1)), 10);

        assertThat(noise.at(80)).isCloseTo(0.1 / 0.954, within(1e-9));
    }

    @Test
    public void isNoneWhenTooFewEpochsAreOverSinceTheCurveBegan() {
        List<Double> means = List.of(3.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0);

        assertThat(new EpochNoise(FLAT, epochs(means), 10).none()).isFalse();
        assertThat(new EpochNoise(FLAT, epochs(means.subList(0, 5)), 10).none()).isTrue();
        assertThat(new EpochNoise(new InverseDecay(0, 1, 0, 1, 25), epochs(means), 10).none())
                .isTrue();
        assertThat(new EpochNoise(FLAT, EpochLosses.NONE, 10).none()).isTrue();
    }

    @Test
    public void staysPositiveWhenTheCurveHasReachedItsLimit() {
        LossCurve curve = new ExponentialDecay(1, 1, 0, 0);
        List<Double> means = List.of(1.0, 0.01, 0.0, 0.01, 0.0, 0.01, 0.0, 0.01);
        EpochNoise noise = new EpochNoise(curve, epochs(means), 10);

        assertThat(noise.at(1e9)).isPositive().isFinite();
    }

    @Property(trials = 100)
    public void scalesWithTheLosses(@InRange(minDouble = 1e-3, maxDouble = 1e3) double factor) {
        LossCurve curve = new InverseDecay(0.01, 1, 0.1, 1, 0);
        Random random = new Random(7);
        List<Double> means = random.doubles(12).boxed().toList();
        List<Double> scaled = means.stream().map(mean -> mean * factor).toList();

        double once = new EpochNoise(curve, epochs(means), 10).at(200);
        double times = new EpochNoise(curve.times(factor), epochs(scaled), 10).at(200);

        assertThat(times / (factor * once)).isCloseTo(1, within(1e-6));
    }

    private static EpochLosses epochs(List<Double> means) {
        return new EpochLosses(10, means, means.size());
    }
}
