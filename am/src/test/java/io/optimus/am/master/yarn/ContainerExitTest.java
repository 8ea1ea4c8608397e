package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.junit.Test;

public final class ContainerExitTest {
    private static String inWords(int status) {
        return new ContainerExit("container_1", status, "").inWords();
    }

    @Test
    public void namesTheRemedyWhereMemoryDidNotSuffice() {
        assertThat(inWords(ContainerExitStatus.KILLED_EXCEEDED_PMEM))
                .contains("used more memory", "raise memoryMb of its role");
        assertThat(inWords(ContainerExitStatus.KILLED_EXCEEDED_VMEM))
                .contains("virtual memory", "yarn.nodemanager.vmem-check-enabled");
        assertThat(inWords(137)).contains("137", "ran out of memory");
    }

    @Test
    public void namesOtherStatusesAsTheyAre() {
        assertThat(inWords(2)).isEqualTo("ended with exit status 2");
        assertThat(inWords(ContainerExit.SILENT)).isEqualTo("lost its connection");
    }
}
