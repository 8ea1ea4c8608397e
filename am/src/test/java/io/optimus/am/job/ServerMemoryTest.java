package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public final class ServerMemoryTest {
    /** 1 MiB of parameters. */
    private static final long MILLION = 1 << 18;

    private static JobSpec job(int servers, int workers, long memoryMb) {
        Resources task = Resources.of(Map.of(Resources.MEMORY_MB, memoryMb));
        JobSpec spec = JobSpecs.emulated();
        return new JobSpec(
                spec.name(),
                spec.queue(),
                spec.priority(),
                spec.preemptible(),
                spec.minRunSeconds(),
                spec.mode(),
                spec.engine(),
                spec.dataset(),
                spec.globalBatch(),
                spec.seed(),
                spec.optimizer(),
                spec.stop(),
                RoleSpec.of(1, workers, task, 0),
                List.of(),
                RoleSpec.of(servers, servers, task, 0),
                spec.checkpoint(),
                spec.output(),
                spec.master(),
                spec.maxAttempts(),
                spec.logLevel());
    }

    @Test
    public void countsTwoBuffersForEachWorkerAndTwoMore() {
        // 512 MiB leave 217 for the heap and 108 for buffers: 53 workers take 2 · 53 + 2 MiB.
        assertThat(ServerMemory.lack(job(1, 53, 512), MILLION)).isEmpty();
        assertThat(ServerMemory.lack(job(1, 54, 512), MILLION)).isPresent();
        assertThat(ServerMemory.lack(job(2, 54, 512), MILLION))
                .as("each server holds a half")
                .isEmpty();
    }

    @Test
    public void namesMemoryThatIsEnough() {
        String lack = ServerMemory.lack(job(1, 200, 512), MILLION).orElseThrow();

        assertThat(lack).contains("roles.ps.memoryMb 512 leaves 108 MiB", "402 MiB", "200 workers");
        long wanted = Long.parseLong(lack.replaceAll(".*give roles.ps.memoryMb ([0-9]+),.*", "$1"));
        assertThat(ServerMemory.lack(job(1, 200, wanted), MILLION)).isEmpty();
    }
}
