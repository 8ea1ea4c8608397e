package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.wire.PortRange;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public final class MasterEnvironmentTest {
    @Test
    public void passesTheGivenJavaHomeToTasks() {
        Map<String, String> variables = variables();
        assertThat(MasterEnvironment.of(variables).ofTasks(PortRange.ANY)).doesNotContainKey("JAVA_HOME");

        variables.put("OPTIMUS_JAVA_HOME", "/opt/java-17");
        assertThat(MasterEnvironment.of(variables).ofTasks(PortRange.ANY)).containsEntry("JAVA_HOME", "/opt/java-17");
    }

    @Test
    public void passesThePortsToTasks() {
        assertThat(MasterEnvironment.of(variables()).ofTasks(new PortRange(50_100, 50_400)))
                .containsEntry("OPTIMUS_PORTS", "50100-50400");
    }

    @Test
    public void namesTheWorkFolderToTasks() {
        assertThat(MasterEnvironment.of(variables()).ofTasks(PortRange.ANY))
                .containsEntry("OPTIMUS_WORK_DIRECTORY", "file:/jobs/1/work")
                .doesNotContainKey("OPTIMUS_JOB_DIRECTORY");
    }

    @Test
    public void namesAllMissingVariables() {
        assertThatThrownBy(() -> MasterEnvironment.of(Map.of("USER", "ann")))
                .hasMessageContaining("CONTAINER_ID, NM_HOST, APP_SUBMIT_TIME_ENV, OPTIMUS_JOB_DIRECTORY");
    }

    private static Map<String, String> variables() {
        return new TreeMap<>(Map.of(
                "CONTAINER_ID", "container_1700000000000_0001_01_000001",
                "NM_HOST", "h1",
                "USER", "ann",
                "APP_SUBMIT_TIME_ENV", "17",
                "OPTIMUS_JOB_DIRECTORY", "file:/jobs/1"));
    }
}
