package io.optimus.am.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.optimus.am.wire.PortRange;
import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public final class MasterSettingsTest {
    private final Configuration configuration = new Configuration(false);

    @Test
    public void hasDefaults() {
        MasterSettings settings = MasterSettings.read(configuration);

        assertThat(settings.tasks().start()).isEqualTo(Duration.ofMinutes(3));
        assertThat(settings.nodes().count()).isEqualTo(3);
        assertThat(settings.schedulerTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.ports()).isEqualTo(PortRange.ANY);
    }

    @Test
    public void readsABareNumberAsSeconds() {
        configuration.set("yarn.optimus.am.start-timeout", "180");

        assertThat(MasterSettings.read(configuration).tasks().start()).isEqualTo(Duration.ofMinutes(3));
    }

    @Test
    public void readsWhatIsSet() {
        configuration.set("yarn.optimus.am.node-back-off", "250ms");
        configuration.set("yarn.optimus.am.node-failures", "7");
        configuration.set("yarn.optimus.port-range", "50100-50400");

        MasterSettings settings = MasterSettings.read(configuration);

        assertThat(settings.nodes().backOff()).isEqualTo(Duration.ofMillis(250));
        assertThat(settings.nodes().count()).isEqualTo(7);
        assertThat(settings.ports()).isEqualTo(new PortRange(50_100, 50_400));
    }

    @Test
    public void namesEveryProblemAtOnceWithItsRemedy() {
        configuration.set("yarn.optimus.am.ask-timeout", "0s");
        configuration.set("yarn.optimus.am.node-failures", "none");
        configuration.set("yarn.optimus.am.strat-timeout", "180");
        configuration.set("yarn.optimus.port-range", "50400-50100");

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> MasterSettings.read(configuration))
                .withMessageContainingAll(
                        "4 configuration problem(s)",
                        "yarn.optimus.am.ask-timeout=0s is not a time with its unit (ms, s, m, h), 1ms to 24h. Remedy:",
                        "yarn.optimus.am.node-failures=none is not a whole number, 1 to 1000",
                        "yarn.optimus.am.strat-timeout is not a key of this version: did you mean"
                                + " yarn.optimus.am.start-timeout?",
                        "yarn.optimus.port-range=50400-50100 is not two ports");
    }

    @Test
    public void knowsTheKeysOfTheClient() {
        configuration.set("yarn.optimus.staging-dir", "/jobs");

        assertThat(MasterSettings.read(configuration)).isEqualTo(MasterSettings.read(new Configuration(false)));
    }

    @Test
    public void everyKeyIsDocumentedAsItIsAndNoOther() throws IOException {
        List<String> documented = Files.readString(Path.of("../docs/configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `yarn.optimus.am."))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', line.indexOf('|', 1) + 1) + 1) + 1))
                .toList();

        assertThat(documented)
                .containsExactlyElementsOf(MasterSettings.SETTINGS.stream()
                        .filter(setting -> setting.key().startsWith("yarn.optimus.am."))
                        .map(MasterSettingsTest::row)
                        .toList());
    }

    private static String row(Setting<?> setting) {
        return "| `" + setting.key() + "` | `" + setting.defaultText() + "` | " + setting.range() + " |";
    }
}
