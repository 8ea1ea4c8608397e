package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.PS_A;
import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.wire.TaskExit;
import io.optimus.model.Role;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

/** Tasks that run out of memory: {@link TaskMemory} of a plan follower. */
public final class TaskMemoryTest {
    @Test
    public void blamesTasksThatRunOutOfMemory() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(4);
        for (int i = 0; i < 3; i++) {
            fixture.exit(worker(i), TaskExit.OUT_OF_MEMORY);
        }

        assertThat(fixture.failures)
                .singleElement()
                .asString()
                .contains("ran out of memory", "has 1000 MiB: set roles.worker.memoryMb to 1500");
    }

    @Test
    public void givesTasksThatRunOutOfMemoryMoreWhereTheJobFileLetsIt() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(
                3, JobSpecs.emulated("roles.worker.memory=auto", "roles.worker.memoryMb=1000"));
        fixture.containers.mostMemoryMb = 2_000;
        fixture.exit(worker(0), ContainerExitStatus.KILLED_EXCEEDED_PMEM);
        assertThat(fixture.containers.memoryMb).containsOnly(entry(Role.WORKER, 1_500L));
        assertThat(fixture.containers.lastRequest()).containsEntry(WORKER_A, 1);
        String requestedBefore = fixture.give(WORKER_A, 1_000);
        assertThat(fixture.containers.released).as("too small").contains(requestedBefore);

        fixture.exit(worker(1), TaskExit.OUT_OF_MEMORY);
        fixture.exit(worker(2), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.containers.memoryMb).as("others have more already").containsEntry(Role.WORKER, 1_500L);

        fixture.exitContainer(fixture.give(WORKER_A, 1_500), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.containers.memoryMb).as("as much as YARN grants").containsEntry(Role.WORKER, 2_000L);
        assertThat(fixture.raised).containsExactly("WORKER 1000 -> 1500", "WORKER 1500 -> 2000");

        List<String> largest =
                Stream.generate(() -> fixture.give(WORKER_A, 2_000)).limit(3).toList();
        fixture.exitContainer(largest.get(0), TaskExit.OUT_OF_MEMORY);
        fixture.exitContainer(largest.get(1), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.failures).as("2 retries").isEmpty();
        fixture.exitContainer(largest.get(2), TaskExit.OUT_OF_MEMORY);
        assertThat(fixture.failures)
                .singleElement()
                .asString()
                .contains("YARN grants no container of more than 2000 MiB in this queue");
    }

    @Test
    public void replacesTasksThatHaveTooLittleMemory() {
        PlanFollowerFixture fixture = PlanFollowerFixture.running(1, JobSpecs.emulated("roles.ps.memory=auto"));

        assertThat(fixture.follower.needs(Role.PARAMETER_SERVER, 9_000))
                .as("more than YARN grants")
                .isFalse();
        assertThat(fixture.follower.needs(Role.PARAMETER_SERVER, 1_000))
                .as("enough")
                .isTrue();
        assertThat(fixture.lost).isEmpty();

        assertThat(fixture.follower.needs(Role.PARAMETER_SERVER, 1_200)).isTrue();
        assertThat(fixture.lost).containsExactly("ps-0 " + ContainerExit.TOO_SMALL);
        assertThat(fixture.containers.memoryMb).containsOnly(entry(Role.PARAMETER_SERVER, 1_200L));
        fixture.exit(server(0), 0);
        assertThat(fixture.containers.lastRequest()).containsEntry(PS_A, 1);
        assertThat(fixture.failures).isEmpty();
    }
}
