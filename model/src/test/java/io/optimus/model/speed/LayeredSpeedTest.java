package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class LayeredSpeedTest {
    private static final Layers TWO = Layers.of(new double[] {1, 1}, new double[] {1, 3});
    private static final Layers VGG_LIKE = Layers.of(new double[] {5, 8, 6, 3, 1}, new double[] {1, 2, 4, 10, 60});

    @Test
    public void sendsALayerWhileThoseBeforeItAreComputed() {
        LayeredSpeed speed = new LayeredSpeed(TWO, 9, 0.1, 0, 0.4, 0);

        assertThat(speed.seconds(1, new Allocation(1, 1))).isCloseTo(0.3 + 0.7, within(1e-12));
        assertThat(new LayeredSpeed(TWO, 9, 0.1, 0.5, 0.4, 0.01).seconds(1, new Allocation(1, 1)))
                .isCloseTo(1.51, within(1e-12));
    }

    @Test
    public void hidesTransfersBehindALongComputationButForTheFirstLayers() {
        LayeredSpeed speed = new LayeredSpeed(TWO, 9, 0.1, 0, 0.04, 0);

        assertThat(speed.critical(new Allocation(1, 1))).isZero();
        assertThat(speed.seconds(1, new Allocation(1, 1))).isCloseTo(0.9 + 0.01, within(1e-12));
        // On 10 workers transfers decide: all of them, after the last layer's computation.
        assertThat(speed.critical(new Allocation(1, 10))).isEqualTo(1);
        assertThat(speed.seconds(1, new Allocation(1, 10))).isCloseTo(0.03 + 0.03 + 0.4, within(1e-12));
    }

    /** The unrolled maximum is the recurrence, written down as it is in the class comment. */
    @Property(trials = 200)
    public void isTheRecurrence(
            long seed, @InRange(minInt = 1, maxInt = 40) int p, @InRange(minInt = 1, maxInt = 40) int w) {
        Random random = new Random(seed);
        int n = 1 + random.nextInt(30);
        double[] compute = random.doubles(n).map(x -> x < 0.2 ? 0 : x).toArray();
        double[] bytes = random.doubles(n).map(x -> x * x * x * x).toArray();
        compute[0] += 0.1;
        double[] t = random.doubles(4).toArray();
        LayeredSpeed speed = new LayeredSpeed(Layers.of(compute, bytes), 64, t[0], t[1], t[2], t[3]);

        double pass = t[0] * 64 / w;
        double computed = pass / 3;
        double sent = 0;
        for (int i = n - 1; i >= 0; i--) {
            computed += pass * 2 / 3 * compute[i] / sum(compute);
            sent = Math.max(computed, sent) + t[2] * w / p * bytes[i] / sum(bytes);
        }
        double expected = sent + t[1] + t[3] * w;

        assertThat(1 / speed.stepsPerSecond(new Allocation(p, w))).isCloseTo(expected, within(1e-9 * expected));
    }

    @Property(trials = 50)
    public void isFoundAgainFromItsSpeeds(long seed) {
        Random random = new Random(seed);
        LayeredSpeed truth = new LayeredSpeed(
                VGG_LIKE,
                64,
                0.002 + 0.02 * random.nextDouble(),
                0.1 * random.nextDouble(),
                0.02 + 0.5 * random.nextDouble(),
                0.01 * random.nextDouble());
        SortedMap<Allocation, Double> speeds = new TreeMap<>();
        for (int p = 1; p <= 8; p += 2) {
            for (int w = 1; w <= 13; w += 3) {
                speeds.put(new Allocation(p, w), truth.stepsPerSecond(new Allocation(p, w)));
            }
        }

        LayeredSpeed fitted =
                new LayeredFitter(VGG_LIKE, 64).fit(MeasuredSizes.of(speeds)).orElseThrow();

        for (Allocation size : new Allocation[] {new Allocation(2, 2), new Allocation(4, 12), new Allocation(10, 16)}) {
            assertThat(fitted.stepsPerSecond(size) / truth.stepsPerSecond(size)).isCloseTo(1, within(1e-6));
        }
    }

    @Test
    public void waitsForAsManySizesAsItHasUnknowns() {
        SortedMap<Allocation, Double> three = new TreeMap<>();
        for (int w = 1; w <= 3; w++) {
            three.put(new Allocation(1, w), 1.0 * w);
        }

        assertThat(new LayeredFitter(TWO, 64).fit(MeasuredSizes.of(three))).isEmpty();
    }

    @Test
    public void refusesWhatAreNoLayers() {
        assertThatThrownBy(() -> Layers.of(new double[] {1}, new double[] {1, 2}))
                .hasMessageContaining("1 costs and 2");
        assertThatThrownBy(() -> Layers.of(new double[] {}, new double[] {}))
                .hasMessageContaining("together they are 0");
        assertThatThrownBy(() -> Layers.of(new double[] {2, -1}, new double[] {1, 2}))
                .hasMessageContaining("cost");
        assertThatThrownBy(() -> Layers.of(new double[] {1, 1}, new double[] {0, Double.NaN}))
                .hasMessageContaining("size");
        assertThatThrownBy(() -> new LayeredFitter(TWO, 0)).hasMessageContaining("0.0");
    }

    private static double sum(double[] numbers) {
        double sum = 0;
        for (double number : numbers) {
            sum += number;
        }
        return sum;
    }
}
