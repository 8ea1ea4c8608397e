package io.optimus.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class PauseBenchmarkTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @Test
    public void measuresEachEvent() throws Exception {
        Path file = folder.getRoot().toPath().resolve("pauses.json");

        PauseBenchmark.main(new String[] {folder.newFolder().toString(), file.toString(), "1", "1e9", "1"});

        JsonNode pauses = new ObjectMapper().readTree(file.toFile());
        assertThat(pauses.findValuesAsText("event"))
                .containsExactly(
                        "worker joins", "worker leaves", "server joins", "server leaves", "worker lost", "server lost");
        for (JsonNode each : pauses) {
            assertThat(each.get("megabytes").asInt()).isEqualTo(1);
            assertThat(each.get("pauseMillis")).hasSize(1);
            assertThat(each.get("pauseMillis").get(0).asLong()).isNotNegative();
        }
    }
}
