package io.optimus.am.client.submission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.Test;

public final class JobResultTest {
    @Test
    public void tellsTheResultAndHowToLoadTheModelWhenItHasWaited() throws IOException {
        String result =
                "{\"finalLoss\":0.25,\"heldOutAccuracy\":0.97,\"steps\":140,\"epochs\":3.0,\"model\":\"model.bin\","
                        + "\"metrics\":{}}";

        assertThat(JobResult.of(new ObjectMapper().readTree(result), "hdfs://nn/out")
                        .lines())
                .containsExactly(
                        "Result    loss 0.2500, held-out accuracy 0.9700, 3.0 epochs, 140 steps",
                        "Model     hdfs://nn/out/model.bin",
                        "Load it   hadoop fs -get hdfs://nn/out/model.bin . && python3 -c 'import optimus_yarn as optimus;"
                                + " print(optimus.load(\"model.bin\").keys())'");
        assertThat(JobResult.of(new ObjectMapper().readTree(result), "file:/home/ann/out")
                        .lines())
                .last()
                .asString()
                .isEqualTo("Load it   python3 -c 'import optimus_yarn as optimus;"
                        + " print(optimus.load(\"/home/ann/out/model.bin\").keys())'");
        assertThat(JobResult.of(new ObjectMapper().readTree("{\"model\":null}"), "out")
                        .lines())
                .isEmpty();
    }
}
