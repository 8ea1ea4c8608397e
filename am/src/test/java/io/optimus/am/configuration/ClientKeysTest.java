package io.optimus.am.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public final class ClientKeysTest {
    private final Configuration configuration = new Configuration(false);

    @Test
    public void areEmptyByDefault() {
        assertThat(ClientKeys.JAVA_HOME.in(configuration)).isEmpty();
        assertThatCode(() -> ClientKeys.check(configuration)).doesNotThrowAnyException();
    }

    @Test
    public void areReadWithoutBlanks() {
        configuration.set("yarn.optimus.java-home", " /opt/java-17 ");

        assertThat(ClientKeys.JAVA_HOME.in(configuration)).contains("/opt/java-17");
    }

    @Test
    public void allMisspeltKeysAreNamedWithTheNearestRightOnes() {
        configuration.set("yarn.optimus.staging-dri", "/jobs");
        configuration.set("yarn.optimus.am.node-failure", "2");

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> ClientKeys.check(configuration))
                .withMessageContainingAll(
                        "2 configuration problem(s)",
                        "yarn.optimus.staging-dri is not a key of this version: did you mean yarn.optimus.staging-dir?",
                        "did you mean yarn.optimus.am.node-failures?");
    }

    @Test
    public void everyKeyOfClientAndApplicationMasterIsInTheTableAndNoOther() throws IOException {
        List<String> documented = Files.readString(Path.of("../docs/configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `" + ClientKeys.PREFIX))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        List<Setting<?>> all = new ArrayList<>(ClientKeys.SETTINGS);
        all.addAll(MasterSettings.SETTINGS);

        assertThat(documented)
                .containsExactlyElementsOf(
                        all.stream().<String>map(Setting::key).toList());
    }
}
