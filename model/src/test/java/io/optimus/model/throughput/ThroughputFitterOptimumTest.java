package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.TestCategory.Slow;
import io.optimus.model.numerics.BoundedProblem;
import io.optimus.model.numerics.ProjectedQuasiNewton;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;

/** Compares the minimum that one descent finds with the best of many descents from other starts. */
@Category(Slow.class)
public class ThroughputFitterOptimumTest {
    private static final int JOBS = 300;
    private static final int STARTS = 12;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final ThroughputFitter fitter = new ThroughputFitter();

    /** Steps take from some microseconds to a quarter of an hour. An eighth of the jobs has an outlier. */
    @Test
    public void findsTheSameMinimumAsTheBestOfManyStarts() {
        Random random = new Random(1);
        int worse = 0;
        double most = 0;
        for (int job = 0; job < JOBS; job++) {
            List<ThroughputObservation> seen = seenOfARandomJob(random);
            double miss = fitter.fit(seen).orElseThrow().objective() - bestOfManyStarts(seen, random);
            worse += miss > 0.01 ? 1 : 0;
            most = Math.max(most, miss);
        }
        System.out.printf(Locale.ROOT, "%d of %d fits are 1 %% worse than the best, %.4f at most%n", worse, JOBS, most);
        assertThat(worse).isLessThanOrEqualTo(JOBS / 100);
    }

    /** Draws observations on 1 to 8 replicas on one node and on several, so that every parameter is fitted. */
    private static List<ThroughputObservation> seenOfARandomJob(Random random) {
        double step = Math.pow(10, 8 * random.nextDouble() - 5);
        AllReduceThroughput truth = new AllReduceThroughput(
                step * random.nextDouble(),
                step * random.nextDouble() / 100,
                step * random.nextDouble() * 2,
                step * random.nextDouble() / 10,
                step * random.nextDouble(),
                step * random.nextDouble() / 20,
                1 + 9 * random.nextDouble());
        boolean outlier = random.nextInt(8) == 0;
        List<ThroughputObservation> seen = new ArrayList<>();
        for (int replicas = 1; replicas <= 8; replicas++) {
            for (int nodes = 1; nodes <= Math.min(2, replicas); nodes++) {
                int batch = 8 << random.nextInt(5);
                double off = outlier && replicas == 4 ? 20 : Math.exp(0.05 * random.nextGaussian());
                seen.add(new ThroughputObservation(
                        nodes,
                        replicas,
                        batch,
                        truth.gradientSeconds(batch),
                        truth.stepSeconds(nodes, replicas, batch) * off));
            }
        }
        return seen;
    }

    private static double bestOfManyStarts(List<ThroughputObservation> seen, Random random) {
        double least = Math.log(1e-8);
        double most = Math.log(1e9);
        BoundedProblem problem = new BoundedProblem(
                new ThroughputObjective(seen),
                new double[] {least, least, least, 0, least, 0, 1},
                new double[] {most, most, most, 100, most, 100, 10});
        double step = Math.log(seen.get(0).stepSeconds());
        return IntStream.range(0, STARTS)
                .mapToDouble(start -> new ProjectedQuasiNewton(1_000)
                        .minimize(problem, new double[] {
                            step + 3 * random.nextGaussian(),
                            step - 3 + 3 * random.nextGaussian(),
                            step + 3 * random.nextGaussian(),
                            random.nextDouble(),
                            step + 3 * random.nextGaussian(),
                            random.nextDouble(),
                            1 + 9 * random.nextDouble()
                        })
                        .value())
                .min()
                .orElseThrow();
    }
}
