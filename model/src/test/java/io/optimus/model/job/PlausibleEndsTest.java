package io.optimus.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.Jobs;
import java.util.List;
import org.junit.Test;

/** All jobs here run one step a second on their minimum of one worker. */
public final class PlausibleEndsTest {
    private static Jobs with(String id, double seconds) {
        return Jobs.allReduce(id).remaining(seconds);
    }

    private static List<Double> rests(Jobs... jobs) {
        return PlausibleEnds.of(Jobs.snapshots(jobs)).stream()
                .map(job -> job.remainingSteps().orElseThrow())
                .toList();
    }

    @Test
    public void aJobThatClaimsFarMoreWorkThanOthersCountsWithFourTimesTheirs() {
        assertThat(rests(with("liar", 1e12), with("a", 100), with("b", 80))).containsExactly(400.0, 100.0, 80.0);
        assertThat(rests(with("liar", 1e12), with("twin", 100))).containsExactly(400.0, 100.0);
    }

    @Test
    public void aLongJobIsBelievedAsItRuns() {
        Jobs old = with("old", 10_000).history(new JobHistory(1000, 1000, 0, new Allocation(0, 1)));

        assertThat(rests(old, with("a", 100))).containsExactly(4000.0, 100.0);
    }

    @Test
    public void aJobAloneIsBelieved() {
        assertThat(rests(with("alone", 1e12))).containsExactly(1e12);
        assertThat(PlausibleEnds.of(
                        Jobs.snapshots(with("a", 1e12), Jobs.allReduce("b").unknown())))
                .first()
                .satisfies(job -> assertThat(job.remainingSteps()).hasValue(1e12));
    }
}
