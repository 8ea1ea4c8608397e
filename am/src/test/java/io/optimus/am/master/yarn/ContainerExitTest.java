package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.wire.TaskExit;
import io.optimus.model.Role;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

public final class ContainerExitTest {
    private static String inWords(int status) {
        TaskContainer container = new TaskContainer("container_1", "a:1", Role.PARAMETER_SERVER, 512, "", false);
        return new ContainerExit("container_1", status, "").inWords(container, false);
    }

    @Test
    public void namesTheRemedyWhereMemoryDidNotSuffice() {
        assertThat(inWords(ContainerExitStatus.KILLED_EXCEEDED_PMEM))
                .contains("used more memory", "has 512 MiB: set roles.ps.memoryMb to 768");
        assertThat(inWords(ContainerExitStatus.KILLED_EXCEEDED_VMEM))
                .contains("virtual memory", "yarn.nodemanager.vmem-check-enabled");
        assertThat(inWords(TaskExit.OUT_OF_MEMORY)).contains("ran out of memory", "set roles.ps.memoryMb to 768");
        assertThat(inWords(137)).contains("137", "ran out of memory");
    }

    @Test
    public void namesNoRemedyWhereMemoryGrowsByItself() {
        TaskContainer container = new TaskContainer("container_1", "a:1", Role.WORKER, 512, "", false);
        ContainerExit exit = new ContainerExit("container_1", TaskExit.OUT_OF_MEMORY, "");
        assertThat(exit.inWords(container, true)).isEqualTo("ran out of memory (its container has 512 MiB)");
    }

    @Test
    public void namesOtherStatusesAsTheyAre() {
        assertThat(inWords(2)).isEqualTo("ended with exit status 2");
        assertThat(inWords(ContainerExit.SILENT)).isEqualTo("lost its connection");
    }
}
