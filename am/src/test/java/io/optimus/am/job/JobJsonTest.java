package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

public final class JobJsonTest {
    @Test
    public void readsBackWhatItWrote() throws IOException {
        JobSpec spec = Specs.emulated();

        assertThat(JobJson.read(JobJson.write(spec))).isEqualTo(spec);
    }

    @Test
    public void namesEnginesModelsAndRulesByTheirWords() {
        String json = new String(JobJson.write(Specs.emulated()), StandardCharsets.UTF_8);

        assertThat(json).contains("\"emulated\"", "\"mlp\"", "\"adam\"", "\"plateau\"", "\"yarn.io/gpu\" : 1");
        assertThat(json).doesNotContain("io.optimus");
    }

    @Test
    public void refusesAnotherVersion() {
        assertThatThrownBy(() -> JobJson.read("{\"version\": 9}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 9");
    }

    @Test
    public void refusesMissingFields() {
        assertThatThrownBy(() -> JobJson.read("{\"version\": 1, \"job\": {}}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }
}
