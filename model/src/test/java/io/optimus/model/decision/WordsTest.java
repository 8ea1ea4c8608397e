package io.optimus.model.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import org.junit.Test;

public final class WordsTest {
    @Test
    public void saysOneAndSeveral() {
        String typed = GpuTypes.resource("a100");

        assertThat(Words.amount(1, Resources.GPUS)).isEqualTo("1 GPU");
        assertThat(Words.amount(2, Resources.GPUS)).isEqualTo("2 GPUs");
        assertThat(Words.amount(1, typed)).isEqualTo("1 GPU of type a100");
        assertThat(Words.amount(2, typed)).isEqualTo("2 GPUs of type a100");
        assertThat(Words.amount(1, "fpga")).isEqualTo("1 fpga");
    }

    @Test
    public void saysNone() {
        assertThat(Words.none(Resources.GPUS)).isEqualTo("no GPU");
        assertThat(Words.none(Resources.MEMORY_MB)).isEqualTo("no memory");
        assertThat(Words.none(GpuTypes.resource("a100"))).isEqualTo("no GPU of type a100");
        assertThat(Words.none(GpuTypes.resource(""))).isEqualTo("no GPU of no type");
    }
}
