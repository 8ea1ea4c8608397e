package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.exceptions.YarnRuntimeException;
import org.junit.Test;

public final class HeartbeatErrorsTest {
    private final List<String> refused = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private long nanos = 1;
    private final HeartbeatErrors errors = new HeartbeatErrors(new Recorded(), () -> nanos);

    private final class Recorded implements Containers.Listener {
        @Override
        public void yarnRefused(String why) {
            refused.add(why);
        }

        @Override
        public void yarnFailed(String why) {
            failed.add(why);
        }

        @Override
        public void allocated(List<TaskContainer> containers) {}

        @Override
        public void runEarlier(List<TaskContainer> earlier) {}

        @Override
        public void launchFailed(String container, String why) {}

        @Override
        public void exited(List<ContainerExit> exits) {}

        @Override
        public void preemptionRequested(List<String> containers) {}

        @Override
        public void shutDownRequested(String why) {}

        @Override
        public void answered() {}
    }

    @Test
    public void theJobOutlivesARequestThatNoNodeIsLargeEnoughFor() {
        errors.received(new InvalidResourceRequestException("greater than maximum allowed allocation"));

        assertThat(failed).isEmpty();
        assertThat(refused).singleElement().asString().contains("greater than maximum allowed allocation");
    }

    @Test
    public void saysTheSameOnlyEveryTenMinutes() {
        for (int i = 0; i < 100; i++) {
            errors.received(new ConnectException("refused"));
            nanos += Duration.ofSeconds(10).toNanos();
        }

        assertThat(failed).isEmpty();
        assertThat(refused).hasSize(2);
        errors.received(new InvalidResourceRequestException("too large"));
        assertThat(refused).last().asString().contains("too large");
    }

    /** YARN's client throws again what a ResourceManager that stops has thrown. */
    @Test
    public void theJobOutlivesAnyExceptionOfTheResourceManager() {
        errors.received(new YarnRuntimeException(new InterruptedException()));

        assertThat(failed).isEmpty();
        assertThat(refused).singleElement().asString().contains("InterruptedException");
    }
}
