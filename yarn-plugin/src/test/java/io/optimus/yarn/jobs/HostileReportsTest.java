package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import io.optimus.yarn.configuration.OptimusConfiguration.JobLimits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** ApplicationMasters that send the largest reports that are admitted, with new names each time. */
public final class HostileReportsTest {
    private static final int TASKS = 256;

    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    private final FakeApplications applications = new FakeApplications();
    private final AtomicInteger percent = new AtomicInteger(25);
    private final JobRegistry registry = new JobRegistry(
            () -> new JobLimits(512, 64, 100, 1024, percent.get()), GpuSpeeds.ALIKE, Long.MAX_VALUE, () -> 0);

    private void register(int job) throws Exception {
        register(job, List.of());
    }

    private void register(int job, List<NodeAllocationProto> held) throws Exception {
        RegisterJobRequestProto.Builder request = Jobs.allReduce()
                .clearRoles()
                .addRoles(Jobs.role(RoleProto.WORKER, 1, 1024, 11, 1))
                .setName("n".repeat(200))
                .addAllHeld(held);
        for (int i = 0; i < 32; i++) {
            request.addGpuTypes(i + "t".repeat(60));
        }
        registry.register(applications.run(Jobs.attempt(job, 1)), Jobs.LIMITS, request.build());
    }

    private static String node(int call, int i) {
        return "n".repeat(200) + call + "-" + i + ":" + 8041;
    }

    private static ReportRequestProto largest(int call) {
        ReportRequestProto.Builder report = Jobs.report(call);
        for (int i = 0; i < TASKS; i++) {
            report.addTasks(TaskRateProto.newBuilder()
                            .setTask("w".repeat(80) + call + "-" + i)
                            .setRole(RoleProto.WORKER)
                            .setNode(node(call, i))
                            .setStepsPerSecond(1))
                    .addMembers(NodeAllocationProto.newBuilder()
                            .setNode(node(call, i))
                            .setAllocation(Jobs.allocation(0, 1)))
                    .addLosses(Jobs.loss((long) call * TASKS + i, 1))
                    .addSpeeds(Jobs.speed(0, 1 + i, 5).setNodes(1 + i % (1 + i)).setWorkerNode(node(call, i)))
                    .addResizes(ResizeProto.newBuilder()
                            .setFrom(Jobs.allocation(0, 1))
                            .setTo(Jobs.allocation(0, 1 + i))
                            .setPauseMillis(0)
                            .setPlan(call));
        }
        return report.build();
    }

    private static long usedBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    @Test
    public void aJobTakesNoMoreMemoryHoweverOftenItReports() throws Exception {
        register(1);
        ApplicationFacts caller = applications.run(Jobs.attempt(1, 1));
        for (int call = 1; call <= 50; call++) {
            registry.report(caller, largest(call));
        }
        long before = usedBytes();

        for (int call = 51; call <= 300; call++) {
            registry.report(caller, largest(call));
        }

        assertThat(usedBytes() - before).as("bytes").isLessThan(4_000_000);
        assertThat(registry.memoryBytes()).isBetween(100_000L, 1_000_000L);
    }

    @Test
    public void whatAJobHoldsWhenItRegistersCounts() throws Exception {
        List<NodeAllocationProto> held = largest(1).getMembersList();
        register(1);
        long without = registry.memoryBytes();

        register(2, held);

        assertThat(registry.memoryBytes() - 2 * without).isGreaterThan(TASKS * 200L);
        percent.set(1);
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> {
                    for (int job = 3; job <= 100_000; job++) {
                        register(job, held);
                    }
                })
                .withMessageContaining("job-memory-percent");
        assertThat(registry.memoryBytes()).isLessThanOrEqualTo(new JobLimits(512, 64, 100, 1024, 1).memoryBytes());
    }

    @Test
    public void allJobsTogetherTakeNoMoreThanTheirPartOfTheHeap() throws Exception {
        percent.set(1);
        long most = new JobLimits(512, 64, 100, 1024, 1).memoryBytes();
        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> {
                    for (int job = 1; job <= 100_000; job++) {
                        register(job);
                        registry.report(applications.run(Jobs.attempt(job, 1)), largest(1));
                    }
                })
                .withMessageContaining("job-memory-percent")
                .satisfies(
                        refused -> assertThat(refused.reason()).isEqualTo(TrainingRefusedException.Reason.NOT_SERVED));

        assertThat(registry.memoryBytes()).isLessThanOrEqualTo(most);
        assertThat(registry.memoryRefusals()).isPositive();
        for (JobView job : registry.views()) {
            registry.remove(job.id());
        }
        assertThat(registry.memoryBytes()).as("after all have ended").isZero();
        register(1);
    }
}
