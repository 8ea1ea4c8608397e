package io.optimus.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.plan.Strategies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ThresholdsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void saysWhatTookLongerThanItMay() throws IOException {
        Thresholds thresholds = read("# a comment", "allocate,optimus,100,64,2.5", "lossCurve,,0,0,0.5");
        List<Measured> measured =
                List.of(new Measured("allocate", "optimus", 100, 64, 26, 0), new Measured("lossCurve", "", 0, 0, 5, 0));

        assertThat(thresholds.exceededBy(measured, 10))
                .containsExactly(
                        "allocate optimus, 100 jobs, 64 nodes: 2.60 times the calibration loop, at most 2.50 allowed");
    }

    @Test
    public void holdsScalesApart() throws IOException {
        Thresholds thresholds = read("allocate,optimus,100,64,2.5");

        assertThat(thresholds.exceededBy(List.of(new Measured("allocate", "optimus", 4000, 64, 1000, 0)), 10))
                .isEmpty();
    }

    @Test
    public void namesAllLinesThatAreWrong() {
        assertThatThrownBy(() -> read("allocate,optimus,100,64", "place,optimus,100,64,-1", "place,optimus,x,64,1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(":1: 4 columns")
                .hasMessageContaining(":2: timesCalibration is -1")
                .hasMessageContaining(":3: ");
    }

    @Test
    public void shippedOnesNamePoliciesThatThereAre() throws IOException {
        assertThat(Thresholds.read(Path.of("thresholds.csv")).limits())
                .isNotEmpty()
                .allSatisfy(limit -> assertThat(
                                limit.policy().isEmpty() || Strategies.names().contains(limit.policy()))
                        .as(limit.toString())
                        .isTrue());
    }

    private Thresholds read(String... lines) throws IOException {
        Path file = folder.newFile().toPath();
        Files.write(file, List.of(lines));
        return Thresholds.read(file);
    }
}
