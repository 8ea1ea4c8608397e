package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.wire.shards.ShardChannel;
import org.junit.Test;

public final class ServerMemoryTest {
    /** 1 MiB of parameters. */
    private static final long MILLION = 1 << 18;

    private static final Optimizer SGD = new Optimizer.Sgd(0.1, 0, 0);
    private static final Optimizer ADAM = new Optimizer.Adam(1e-3, 0.9, 0.999, 1e-8, 0, false);

    private static JobSpec job(int servers, int workers, long memoryMb) {
        return job("float32", servers, workers, memoryMb);
    }

    private static JobSpec job(String wireFormat, int servers, int workers, long memoryMb) {
        return JobSpecs.emulated(
                "wireFormat=" + wireFormat,
                "mode=synchronous",
                "globalBatch=1000",
                "roles.worker.max=" + workers,
                "roles.ps.min=" + servers,
                "roles.ps.max=" + servers,
                "roles.ps.memoryMb=" + memoryMb);
    }

    private static long wanted(String shortage) {
        return Long.parseLong(shortage.replaceAll(".*set roles.ps.memoryMb to ([0-9]+),.*", "$1"));
    }

    @Test
    public void countsVersionsOfTheParametersAndBuffersOfTheWorkers() {
        // The JVM takes 150 MiB. Beside parameters, the heap takes 40 and the buffers 12, and 1/8 for each worker's
        // answer.
        // The rest is 4 versions of 3 floats each, and 10 gradients.
        long least = 150 + 40 + 12 + 1 + 10 * (4 * 3 + 10);
        assertThat(ServerMemory.shortage(job(1, 10, least + 2), 10 * MILLION, ADAM))
                .isEmpty();
        assertThat(ServerMemory.shortage(job(1, 10, least - 2), 10 * MILLION, ADAM))
                .isPresent();
        assertThat(ServerMemory.shortage(job(2, 10, least + 2), 20 * MILLION, ADAM))
                .as("each server holds a half")
                .isEmpty();
    }

    @Test
    public void gradientsOfHalvesNeedHalfOfTheBuffers() {
        long least = 150 + 40 + 12 + 1 + 10 * (4 * 3 + 10 / 2);
        assertThat(ServerMemory.shortage(job("bfloat16", 1, 10, least + 2), 10 * MILLION, ADAM))
                .isEmpty();
        assertThat(ServerMemory.shortage(job("bfloat16", 1, 10, least - 2), 10 * MILLION, ADAM))
                .isPresent();
    }

    @Test
    public void countsTheFloatsThatServersSendAtATime() {
        assertThat(ServerMemory.PART_MB * (1 << 20)).isEqualTo(ShardChannel.SENT_FLOATS * Float.BYTES);
    }

    @Test
    public void namesMemoryThatIsEnough() {
        String shortage = ServerMemory.shortage(job(1, 200, 400), MILLION, ADAM).orElseThrow();

        assertThat(shortage).contains("roles.ps.memoryMb 400 leaves", "237 MiB to serve", "200 workers");
        assertThat(ServerMemory.shortage(job(1, 200, wanted(shortage)), MILLION, ADAM))
                .isEmpty();
        assertThat(ServerMemory.shortage(job(1, 200, wanted(shortage) - 2), MILLION, ADAM))
                .isPresent();
    }

    @Test
    public void modelOf100MegabytesWithAdamNeedsItsVersionsOnTheHeap() {
        assertThat(ServerMemory.shortage(job(1, 1, 1_400), 25_000_000, ADAM)).isPresent();
        ServerMemory divided = ServerMemory.of(job(1, 1, 1_500));
        assertThat(ServerMemory.shortage(job(1, 1, 1_500), 25_000_000, ADAM)).isEmpty();
        assertThat(divided.heapMb()).isGreaterThan(12 * 95 + 40);
        assertThat(divided.heapMb() + divided.directMb()).isLessThanOrEqualTo(1_500 - 150);
    }

    @Test
    public void namesMemoryThatIsEnoughForAnySize() {
        for (int servers = 1; servers <= 3; servers++) {
            for (long parameters = 40_000_000; parameters < 40_600_000; parameters += 7_919) {
                String shortage = ServerMemory.shortage(job(servers, 8, 300), parameters, ADAM)
                        .orElseThrow();
                assertThat(ServerMemory.shortage(job(servers, 8, wanted(shortage)), parameters, ADAM))
                        .as("%s parameters on %s servers", parameters, servers)
                        .isEmpty();
            }
        }
    }

    /** Nobody knows the optimizer before the program runs. */
    @Test
    public void memoryBesideAProgramIsDividedForAdam() {
        JobSpec program = JobSpecs.program("roles.ps.memoryMb=512", "roles.worker.max=2");
        String shortage = ServerMemory.shortage(program, 100 * MILLION, SGD).orElseThrow();
        JobSpec enough = JobSpecs.program("roles.ps.memoryMb=" + wanted(shortage), "roles.worker.max=2");
        assertThat(ServerMemory.shortage(enough, 100 * MILLION, SGD)).isEmpty();
        assertThat(ServerMemory.shortage(enough, 100 * MILLION, ADAM)).isEmpty();
    }

    @Test
    public void aJobFileThatTellsTheModelsSizeIsRefused() {
        assertThatThrownBy(() -> JobSpecs.emulated(
                        "model={kind: mlp, hidden: [5000, 5000]}", "roles.ps.memoryMb=512", "roles.worker.max=1"))
                .hasMessageContaining("roles.ps.memoryMb")
                .hasMessageContaining("a model of 25380010 parameters")
                .hasMessageContaining("set roles.ps.memoryMb to");
    }

    @Test
    public void smallContainersKeepWhatAJvmNeeds() {
        ServerMemory least = ServerMemory.of(job(1, 1, 256));
        assertThat(least.heapMb()).isEqualTo(64);
        assertThat(least.directMb()).isEqualTo(64);
        assertThat(ServerMemory.of(job(1, 500, 512)).heapMb()).isEqualTo(64);
    }
}
