package io.optimus.model.throughput;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.TestCategory.ReferenceData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.Timeout;

/** Fits measured steps of six models on up to 4 nodes of 4 GPUs of a real cluster. */
@Category(ReferenceData.class)
public class MeasuredThroughputTest {
    private static final int DRAWS = 50;

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    private final ThroughputFitter fitter = new ThroughputFitter();

    @Test
    public void meanErrorIsBelowATenthFromAllPlacements() throws IOException {
        for (String model : PolluxProfiles.MODELS) {
            List<ThroughputObservation> all = PolluxProfiles.of(model);
            ThroughputFit fit = fitter.fit(all).orElseThrow();
            System.out.printf(
                    "%-12s %4d placements and batches: mean error %4.1f %%, %d iterations, %s%n",
                    model, all.size(), 100 * fit.relativeError(), fit.iterations(), fit.throughput());
            ThroughputObservation worst =
                    Collections.max(all, Comparator.comparingDouble(seen -> error(fit.throughput(), seen)));
            System.out.printf("%-12s worst %4.0f %% on %s%n", model, 100 * error(fit.throughput(), worst), worst);
            assertThat(error(fit.throughput(), worst)).as(model).isLessThan(0.5);
            assertThat(fit.relativeError()).as(model).isLessThan(0.10);
            assertThat(fit.relativeError()).as(model).isEqualTo(meanError(fit.throughput(), all));
        }
    }

    @Test
    public void predictsOtherPlacementsFromAFew() throws IOException {
        for (String model : PolluxProfiles.MODELS) {
            List<ThroughputObservation> all = PolluxProfiles.of(model);
            System.out.printf("%-12s mean error on all from", model);
            for (int count : new int[] {5, 10, 20}) {
                double[] errors = new double[DRAWS];
                for (int draw = 0; draw < DRAWS; draw++) {
                    List<ThroughputObservation> shuffled = new ArrayList<>(all);
                    Collections.shuffle(shuffled, new Random(draw));
                    ThroughputFit fit = fitter.fit(shuffled.subList(0, count)).orElseThrow();
                    errors[draw] = meanError(fit.throughput(), all);
                }
                Arrays.sort(errors);
                System.out.printf(
                        " %d: %4.1f %% (worst %4.1f %%)", count, 100 * errors[DRAWS / 2], 100 * errors[DRAWS - 1]);
                assertThat(errors[DRAWS / 2]).as("%s from %d", model, count).isLessThan(0.13);
            }
            System.out.println();
        }
    }

    private static double meanError(AllReduceThroughput fitted, List<ThroughputObservation> all) {
        return all.stream().mapToDouble(seen -> error(fitted, seen)).average().orElseThrow();
    }

    private static double error(AllReduceThroughput fitted, ThroughputObservation seen) {
        return Math.abs(fitted.stepSeconds(seen.nodes(), seen.replicas(), seen.atomicBatch()) / seen.stepSeconds() - 1);
    }
}
