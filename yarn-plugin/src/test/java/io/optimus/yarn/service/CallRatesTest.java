package io.optimus.yarn.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.TrainingRefusedException;
import io.optimus.yarn.jobs.Jobs;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class CallRatesTest {
    private static final ApplicationId ONE = Jobs.attempt(1, 1).getApplicationId();
    private static final ApplicationId OTHER = Jobs.attempt(2, 1).getApplicationId();

    private long nanos;
    private final CallRates rates = new CallRates(2, 5, () -> nanos);

    private int admitted(ApplicationId application, int calls) {
        int admitted = 0;
        for (int i = 0; i < calls; i++) {
            try {
                rates.admit(application);
                admitted++;
            } catch (TrainingRefusedException e) {
                assertThat(e.reason()).isEqualTo(TrainingRefusedException.Reason.TOO_OFTEN);
            }
        }
        return admitted;
    }

    @Test
    public void admitsABurstAndThenTheRate() {
        assertThat(admitted(ONE, 100)).isEqualTo(5);

        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(admitted(ONE, 100)).isEqualTo(2);

        nanos += TimeUnit.HOURS.toNanos(1);
        assertThat(admitted(ONE, 100)).as("calls are not saved up").isEqualTo(5);
    }

    @Test
    public void oneApplicationDoesNotUseUpTheCallsOfAnother() {
        assertThat(admitted(ONE, 100)).isEqualTo(5);
        assertThat(admitted(OTHER, 3)).isEqualTo(3);
    }

    @Test
    public void forgetsApplicationsWhoseBucketIsFull() {
        for (int application = 1; application <= 3000; application++) {
            admitted(Jobs.attempt(application, 1).getApplicationId(), 1);
        }
        nanos += TimeUnit.SECONDS.toNanos(11);
        admitted(ONE, 1);

        assertThat(rates.size()).isEqualTo(1);
    }
}
