package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public final class MasterSettingsTest {
    private static final String PREFIX = "yarn.optimus.am.";

    @Test
    public void takesTheDefaultsWhereNothingIsSet() {
        assertThat(MasterSettings.of(new Configuration(false))).isEqualTo(MasterSettings.DEFAULT);
    }

    @Test
    public void everyKeyIsDocumentedWithItsDefaultAndRead() throws Exception {
        List<String> keys = new ArrayList<>();
        for (RecordComponent component : MasterSettings.class.getRecordComponents()) {
            String key =
                    PREFIX + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            Object standard = component.getAccessor().invoke(MasterSettings.DEFAULT);
            keys.add("| `" + key + "` | `" + words(standard) + "` |");
            Configuration configuration = new Configuration(false);
            configuration.set(key, standard instanceof Duration ? "17s" : "17");
            assertThat(component.getAccessor().invoke(MasterSettings.of(configuration)))
                    .as(key)
                    .isEqualTo(standard instanceof Duration ? (Object) Duration.ofSeconds(17) : (Object) 17);
        }

        assertThat(rows()).containsExactlyElementsOf(keys);
    }

    @Test
    public void refusesATimeThatIsNone() {
        Configuration configuration = new Configuration(false);
        configuration.set(PREFIX + "ask-timeout", "0s");

        assertThatThrownBy(() -> MasterSettings.of(configuration)).hasMessageContaining(PREFIX + "ask-timeout must be");
    }

    /** Key and default of each row of the table. */
    private static List<String> rows() throws IOException {
        return Files.readString(Path.of("../docs/configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `" + PREFIX))
                .map(line -> line.substring(0, line.indexOf('|', line.indexOf('|', 1) + 1) + 1))
                .toList();
    }

    private static String words(Object standard) {
        if (!(standard instanceof Duration duration)) {
            return standard.toString();
        }
        return duration.toSeconds() % 60 == 0 ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
    }
}
