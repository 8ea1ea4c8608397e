package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

public final class JobSpecJsonTest {
    @Test
    public void readsBackWhatItWrote() throws IOException {
        JobSpec spec = JobSpecs.emulated();

        assertThat(JobSpecJson.read(JobSpecJson.write(spec))).isEqualTo(spec);
    }

    @Test
    public void namesEnginesModelsAndRulesByTheirWords() throws IOException {
        String json = new String(JobSpecJson.write(JobSpecs.emulated()), StandardCharsets.UTF_8);

        assertThat(json).contains("\"emulated\"", "\"mlp\"", "\"adam\"", "\"plateau\"", "\"gpus\" : 1");
        assertThat(json).doesNotContain("io.optimus");
    }

    @Test
    public void refusesAnotherVersion() {
        assertThatThrownBy(() -> JobSpecJson.read("{\"version\": 9}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 9");
    }

    @Test
    public void refusesMissingFields() {
        assertThatThrownBy(() -> JobSpecJson.read("{\"version\": 2, \"job\": {}}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }
}
