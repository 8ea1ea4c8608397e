package io.optimus.protocol.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public final class SettingTest {
    private static final Setting<Long> WAIT = Setting.time("test.wait", "3m", "1s", "1h");
    private static final Setting<Integer> SIZE = Setting.count("test.size", 4, 1, 8);

    private final Configuration configuration = new Configuration(false);

    @Test
    public void bareNumberIsSeconds() {
        configuration.set("test.wait", "180");

        assertThat(WAIT.in(configuration)).isEqualTo(180_000);
    }

    @Test
    public void unitsAreUnderstood() {
        for (String text : List.of("90s", "90000ms", "90")) {
            configuration.set("test.wait", text);
            assertThat(WAIT.in(configuration)).as(text).isEqualTo(90_000);
        }
    }

    @Test
    public void valueOutOfRangeIsNamedWithItsRemedy() {
        configuration.set("test.wait", "2h");

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> WAIT.in(configuration))
                .withMessageContaining("test.wait=2h is not a time with its unit (ms, s, m, h), 1s to 1h."
                        + " Remedy: set it so, or remove it for the default 3m.");
    }

    @Test
    public void allProblemsAreReportedAtOnce() {
        configuration.set("test.wait", "soon");
        configuration.set("test.size", "9");
        configuration.set("test.siez", "2");
        SettingsReader reader = new SettingsReader(configuration);
        reader.refuseUnknownKeys("test.", List.of(WAIT.key(), SIZE.key()));

        assertThat(reader.read(WAIT)).isEqualTo(180_000);
        assertThat(reader.read(SIZE)).isEqualTo(4);

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(reader::throwIfInvalid)
                .withMessageContainingAll(
                        "3 configuration problem(s)",
                        "test.wait=soon",
                        "test.size=9 is not a whole number, 1 to 8",
                        "test.siez is not a key of this version: did you mean test.size?");
    }
}
