package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public final class ServerMemoryTest {
    /** 1 MiB of parameters. */
    private static final long MILLION = 1 << 18;

    private static JobSpec job(int servers, int workers, long memoryMb) {
        return JobSpecs.emulated(
                "roles.worker.max=" + workers,
                "roles.ps.min=" + servers,
                "roles.ps.max=" + servers,
                "roles.ps.memoryMb=" + memoryMb);
    }

    @Test
    public void countsTwoBuffersForEachWorkerAndTwoMore() {
        // 512 MiB leave 217 for the heap and 108 for buffers: 53 workers take 2 · 53 + 2 MiB.
        assertThat(ServerMemory.shortage(job(1, 53, 512), MILLION)).isEmpty();
        assertThat(ServerMemory.shortage(job(1, 54, 512), MILLION)).isPresent();
        assertThat(ServerMemory.shortage(job(2, 54, 512), MILLION))
                .as("each server holds a half")
                .isEmpty();
    }

    @Test
    public void namesMemoryThatIsEnough() {
        String shortage = ServerMemory.shortage(job(1, 200, 512), MILLION).orElseThrow();

        assertThat(shortage).contains("roles.ps.memoryMb 512 leaves 108 MiB", "402 MiB", "200 workers");
        long wanted = Long.parseLong(shortage.replaceAll(".*set roles.ps.memoryMb to ([0-9]+),.*", "$1"));
        assertThat(ServerMemory.shortage(job(1, 200, wanted), MILLION)).isEmpty();
    }
}
