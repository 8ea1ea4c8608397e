package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public final class JavaCommandTest {
    @Test
    public void namesFlagsClassAndLogs() {
        assertThat(JavaCommand.of(200, JobSpec.LogLevel.DEBUG, List.of("-XX:+UseSerialGC"), "a.Main"))
                .isEqualTo("exec ${JAVA_HOME:+$JAVA_HOME/bin/}java -Xmx200m -Doptimus.log.level=debug"
                        + " -XX:+UseSerialGC a.Main 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr");
    }
}
