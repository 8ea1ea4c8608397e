package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class ThroughputObjectiveTest {
    private static final double STEP = 1e-5;

    @Test
    public void sumsErrorsAndPriors() {
        List<ThroughputObservation> twice = List.of(new ThroughputObservation(2, 3, 10, 0.2, 0.9));
        double[] x = {Math.log(0.1), Math.log(0.01), Math.log(0.2), 0.5, Math.log(0.1), 0, 3};

        double value = new ThroughputObjective(twice).valueAndGradient(x, new double[7]);

        double fitted = Math.cbrt(0.2 * 0.2 * 0.2 + 0.3 * 0.3 * 0.3);
        double errors = 0 + Math.log(0.9 / fitted);
        // A thousandth is added to smooth the root where there is no error.
        assertThat(value).isCloseTo(errors + 1e-3 * 4 + 1e-2 * 0.25 + 1e-3, within(1e-6));
    }

    /** The tolerance covers the error of the differences themselves. */
    @Property(trials = 100)
    public void gradientMatchesFiniteDifferences(long seed) {
        Random random = new Random(seed);
        List<ThroughputObservation> observations = IntStream.range(0, 1 + random.nextInt(6))
                .mapToObj(i -> observation(random))
                .toList();
        ThroughputObjective objective = new ThroughputObjective(observations);
        double[] x = random.doubles(7, -3, 3).toArray();
        x[3] = Math.abs(x[3]);
        x[5] = Math.abs(x[5]);
        x[6] = 1.1 + Math.abs(x[6]);
        double[] gradient = new double[7];
        objective.valueAndGradient(x, gradient);

        for (int j = 0; j < 7; j++) {
            double[] before = x.clone();
            double[] after = x.clone();
            before[j] -= STEP;
            after[j] += STEP;
            double difference = objective.valueAndGradient(after, new double[7])
                    - objective.valueAndGradient(before, new double[7]);
            assertThat(gradient[j]).as("slope %d", j).isCloseTo(difference / (2 * STEP), within(1e-5));
        }
    }

    private static ThroughputObservation observation(Random random) {
        int replicas = 1 + random.nextInt(8);
        double gradient = Math.exp(random.nextGaussian());
        return new ThroughputObservation(
                1 + random.nextInt(replicas),
                replicas,
                1 + random.nextInt(64),
                gradient,
                gradient + Math.exp(random.nextGaussian()));
    }
}
