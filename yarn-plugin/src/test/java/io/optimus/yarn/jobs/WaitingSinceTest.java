package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

/** Since when a job waits. */
public final class WaitingSinceTest {
    /** The clock of the rounds is this much behind that of submissions. */
    private static final long BEHIND = 1_000_000;

    private final AtomicLong clock = new AtomicLong(50_000);
    private final JobRegistry registry =
            new JobRegistry(() -> Jobs.MEMORY, GpuSpeeds.ALIKE, Long.MAX_VALUE, clock::get);
    private final ApplicationFacts caller =
            new ApplicationFacts(Jobs.attempt(1, 1), "me", "root.default", BEHIND + 20_000, 0);
    private long sequence;

    @Test
    public void aJobThatHasDoneNothingWaitsSinceItWasSubmitted() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
        clock.set(90_000);

        assertThat(waitsSince()).hasValue(BEHIND + 20_000);
    }

    @Test
    public void aJobThatTrainedWaitsSinceItLastDid() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
        clock.set(60_000);
        report(1);
        assertThat(waitsSince()).as("it trains").isEmpty();
        clock.set(70_000);
        report(1);
        clock.set(80_000);
        report(0);
        clock.set(90_000);
        report(0);

        assertThat(waitsSince()).hasValue(BEHIND + 70_000);
    }

    @Test
    public void aJobFromBeforeARestartWaitsSinceItRegistered() throws Exception {
        registry.register(
                caller, Jobs.LIMITS, Jobs.registration().setCurrentStep(10).build());
        clock.set(90_000);

        assertThat(waitsSince()).hasValue(BEHIND + 50_000);
    }

    private void report(int workers) throws Exception {
        registry.holds(caller.attempt().getApplicationId(), Jobs.size(workers, workers), clock.get());
        ReportRequestProto.Builder report = Jobs.report(++sequence).setCurrentStep(sequence);
        if (workers > 0) {
            report.addMembers(
                    NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(workers, workers)));
        }
        registry.report(caller, report.build());
    }

    private OptionalLong waitsSince() {
        return registry.views().get(0).waitsSinceMillis(BEHIND + clock.get(), clock.get());
    }
}
