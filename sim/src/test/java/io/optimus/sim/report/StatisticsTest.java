package io.optimus.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.report.Statistics.CompletionTimes;
import io.optimus.sim.report.Statistics.Fairness;
import java.util.List;
import org.junit.Test;

public class StatisticsTest {
    private static JobOutcome job(double arrival, double end, int resizes) {
        return new JobOutcome(
                "job", "test", new JobOutcome.Times(arrival, arrival, end, 10, 0), resizes, 0, 50, Allocation.NONE);
    }

    @Test
    public void areOfCompletionTimes() {
        Statistics of = Statistics.of(List.of(job(0, 100, 2), job(50, 100, 0), job(100, 400, 1)));

        assertThat(of)
                .isEqualTo(new Statistics(3, new CompletionTimes(150, 100, 300, 300), 400, 1, 10, new Fairness(3, 6)));
    }

    @Test
    public void percentilesAreValuesThatOccur() {
        double[] sorted = {1, 2, 3, 4};

        assertThat(Statistics.percentile(sorted, .5)).isEqualTo(2);
        assertThat(Statistics.percentile(sorted, .51)).isEqualTo(3);
        assertThat(Statistics.percentile(sorted, 1)).isEqualTo(4);
    }

    @Test
    public void usageIsWhatWasHeldInEachStretchOfTime() {
        Usage usage =
                Usage.of(List.of(new Usage.Held("a", 0, 240, 2), new Usage.Held("b", 120.5, 240, 4)), List.of(), 8);

        assertThat(usage.intervalSeconds()).isEqualTo(1);
        assertThat(usage.byJob()).extracting(Usage.JobUsage::job).containsExactly("a", "b");
        assertThat(usage.byJob().get(0).gpus()).containsOnly(2.0);
        assertThat(usage.byJob().get(1).gpus().subList(119, 122)).containsExactly(0.0, 2.0, 4.0);
    }

    @Test
    public void jobsWaitWhileTheyHoldNothing() {
        List<Usage.Held> held = List.of(new Usage.Held("a", 10, 100, 2), new Usage.Held("a", 110.5, 240, 2));
        Usage usage = Usage.of(held, List.of(job(5, 240, 1), job(230, 235, 0)), 2);

        assertThat(usage.waiting().subList(4, 11)).containsExactly(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0);
        assertThat(usage.waiting().subList(99, 112)).startsWith(0.0, 1.0).endsWith(1.0, 0.5, 0.0);
        assertThat(usage.waiting().subList(229, 236)).containsExactly(0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0);
    }
}
