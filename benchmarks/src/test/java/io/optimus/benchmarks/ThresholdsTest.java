package io.optimus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.benchmarks.BenchmarkResult.Subject;
import io.optimus.model.plan.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ThresholdsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void namesMeasurementsBeyondTheirThreshold() throws IOException {
        Thresholds thresholds = read("# a comment", "allocate,optimus,first,100,64,2.5", "lossCurve,,,0,0,0.5");
        BenchmarkResult allocation =
                new BenchmarkResult(new Subject("allocate", "optimus", "first", 100, 64), 26, 10, 0);
        BenchmarkResult fit = new BenchmarkResult(new Subject("lossCurve", "", "", 0, 0), 5, 10, 0);

        assertThat(thresholds.exceededBy(List.of(allocation, fit)))
                .containsExactly(
                        "allocate optimus first, 100 jobs, 64 nodes: 2.60 times the calibration loop, at most 2.50 allowed");
    }

    @Test
    public void distinguishesScalesAndRounds() throws IOException {
        Thresholds thresholds = read("allocate,optimus,first,100,64,2.5");
        BenchmarkResult larger =
                new BenchmarkResult(new Subject("allocate", "optimus", "first", 4000, 64), 1000, 10, 0);
        BenchmarkResult later = new BenchmarkResult(new Subject("allocate", "optimus", "steady", 100, 64), 1000, 10, 0);

        assertThat(thresholds.exceededBy(List.of(larger, later))).isEmpty();
    }

    @Test
    public void namesAllInvalidLines() {
        assertThatThrownBy(() ->
                        read("allocate,optimus,100,64", "place,optimus,first,100,64,-1", "place,optimus,first,x,64,1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(":1: 4 columns")
                .hasMessageContaining(":2: timesCalibration is -1")
                .hasMessageContaining(":3: ");
    }

    @Test
    public void shippedThresholdsCoverEveryPolicy() throws IOException {
        Set<String> policies = new HashSet<>(Strategies.names());
        policies.add("");

        assertThat(Thresholds.read(Path.of("thresholds.csv")).limits())
                .extracting(limit -> limit.subject().policy())
                .hasSameElementsAs(policies);
    }

    private Thresholds read(String... lines) throws IOException {
        Path file = folder.newFile().toPath();
        Files.write(file, List.of(lines));
        return Thresholds.read(file);
    }
}
