package io.optimus.am.client.submission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class JobResultTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

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

    @Test
    public void tellsNothingOfAnEarlierJobInTheSameFolder() throws IOException {
        Path output = folder.getRoot().toPath();
        Files.writeString(output.resolve("result.json"), "{\"id\":\"application_1_0001\",\"steps\":140}");
        String name = output.toUri().toString();

        assertThat(JobResult.read(new Configuration(), name, "application_1_0001")
                        .lines())
                .containsExactly("Result    140 steps");
        JobResult other = JobResult.read(new Configuration(), name, "application_1_0002");
        assertThat(other.lines()).isEmpty();
        assertThat(other.whole().isNull()).isTrue();
    }
}
