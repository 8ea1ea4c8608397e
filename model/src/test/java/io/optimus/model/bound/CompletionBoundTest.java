package io.optimus.model.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public class CompletionBoundTest {
    @Test
    public void isReachedByTwoAfterTwo() {
        CompletionBound bound = new CompletionBound(Collections.nCopies(4, new Work(0, 10, 10)), 2);

        assertThat(bound.meanCompletionSeconds()).isCloseTo(15, within(1e-9));
        assertThat(bound.makespanSeconds()).isCloseTo(20, within(1e-9));
    }

    @Test
    public void isWhatAJobTakesAlone() {
        CompletionBound bound = new CompletionBound(List.of(new Work(7, 10, 1), new Work(1000, 30, 1)), 8);

        assertThat(bound.meanCompletionSeconds()).isCloseTo(20, within(1e-9));
        assertThat(bound.makespanSeconds()).isCloseTo(1023, within(1e-9));
    }

    @Test
    public void isTheShortestRemainingTimeWhereEveryJobCanUseAll() {
        // Alone 10 and 2 s with all GPUs: the second interrupts the first at 1 s.
        CompletionBound bound = new CompletionBound(List.of(new Work(0, 10, 40), new Work(1, 2, 8)), 4);

        assertThat(bound.meanCompletionSeconds()).isCloseTo((12 + 2) / 2.0, within(1e-9));
        assertThat(bound.makespanSeconds()).isCloseTo(12, within(1e-9));
    }

    /** Two jobs on a GPU: 10 s each on all of it, then 10 s on hardly any: the second ends no earlier than after 30 s. */
    @Test
    public void countsWhatFollowsTheCostlyStageOfAJob() {
        Work work = new Work(0, 20, 10, 15);
        CompletionBound bound = new CompletionBound(List.of(work, work), 1);

        assertThat(bound.meanCompletionSeconds()).isCloseTo((20 + 30) / 2.0, within(1e-9));
    }

    /** A job of so many GPUs, to be run whole and without a break. */
    private record Rigid(double arrival, int gpus, double seconds) {}

    @Test
    public void isBelowTheBestOfAllOrders() {
        double closest = Double.POSITIVE_INFINITY;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            List<Rigid> jobs = new ArrayList<>();
            for (int job = 1 + random.nextInt(5); job >= 0; job--) {
                jobs.add(new Rigid(
                        random.nextInt(2) * random.nextInt(30), 1 + random.nextInt(3), 1 + random.nextInt(20)));
            }
            CompletionBound bound = new CompletionBound(
                    jobs.stream()
                            .map(job -> new Work(job.arrival, job.seconds, job.gpus * job.seconds))
                            .toList(),
                    4);
            double best = bestMean(jobs, 0);
            assertThat(bound.meanCompletionSeconds()).as("seed %d", seed).isLessThanOrEqualTo(best * (1 + 1e-9));
            closest = Math.min(closest, best / bound.meanCompletionSeconds());
        }
        assertThat(closest)
                .as("the best order over the bound, where it is closest")
                .isLessThan(1.01);
    }

    private static double bestMean(List<Rigid> order, int from) {
        if (from == order.size()) {
            return mean(order, 4);
        }
        double best = Double.POSITIVE_INFINITY;
        for (int next = from; next < order.size(); next++) {
            Collections.swap(order, from, next);
            best = Math.min(best, bestMean(order, from + 1));
            Collections.swap(order, from, next);
        }
        return best;
    }

    /** One job after the other takes the GPUs that are free first. */
    private static double mean(List<Rigid> order, int gpus) {
        double[] free = new double[gpus];
        double sum = 0;
        for (Rigid job : order) {
            Arrays.sort(free);
            double end = Math.max(job.arrival, free[job.gpus - 1]) + job.seconds;
            Arrays.fill(free, 0, job.gpus, end);
            sum += end - job.arrival;
        }
        return sum / order.size();
    }

    @Test
    public void fallsWithMoreCapacityAndRisesWithWork() {
        List<Work> jobs = List.of(new Work(0, 5, 40), new Work(3, 9, 30), new Work(4, 2, 20));
        List<Work> harder = List.of(new Work(0, 5, 50), new Work(3, 9, 30), new Work(4, 2, 20));
        double bound = new CompletionBound(jobs, 4).meanCompletionSeconds();

        assertThat(new CompletionBound(jobs, 5).meanCompletionSeconds()).isLessThan(bound);
        assertThat(new CompletionBound(harder, 4).meanCompletionSeconds()).isGreaterThan(bound);
    }

    @Test
    public void countsJobsThatTakeNothingOfTheResource() {
        CompletionBound bound = new CompletionBound(List.of(new Work(5, 10, 0), new Work(5, 20, 0)), 1);

        assertThat(bound.meanCompletionSeconds()).isCloseTo(15, within(1e-9));
    }

    @Test
    public void refusesWhatHasNoMeaning() {
        assertThatThrownBy(() -> new CompletionBound(List.of(), 1)).hasMessageContaining("got 0 and 1.0");
        assertThatThrownBy(() -> new Work(0, 0, 1)).hasMessageContaining("0.0 s");
        assertThatThrownBy(() -> new Work(0, 1, Double.NaN)).hasMessageContaining("NaN");
    }
}
