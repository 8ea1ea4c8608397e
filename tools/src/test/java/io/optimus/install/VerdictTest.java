package io.optimus.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public final class VerdictTest {
    private static final Path SITE = Path.of("yarn-site.xml");

    private final Map<String, String> properties = new LinkedHashMap<>(Map.of(
            Verdict.SCHEDULER,
            Verdict.OPTIMUS,
            Verdict.CLASSES,
            "io.optimus.yarn.web.OptimusResource,io.optimus.yarn.page.SchedulerPages"));

    @Test
    public void isOffWhereTheFileNamesAnotherScheduler() {
        properties.put(
                Verdict.SCHEDULER,
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler");
        assertThat(verdict())
                .contains("Optimus is OFF", "names another scheduler", "CapacityScheduler")
                .contains("set yarn.resourcemanager.scheduler.class = io.optimus.yarn.OptimusScheduler")
                .contains("the queues stay as they are");

        properties.put(Verdict.SCHEDULER, "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler");
        assertThat(verdict()).contains("Optimus is OFF", "yarn fs2cs");

        properties.remove(Verdict.SCHEDULER);
        assertThat(verdict()).contains("Optimus is OFF", "names no scheduler");
    }

    @Test
    public void followsTheMode() {
        assertThat(verdict()).as("the default").startsWith("Optimus is ON");
        properties.put(Verdict.MODE, "advise");
        assertThat(verdict()).contains("mode ADVISE", "carries out none", "set yarn.scheduler.optimus.mode = enforce");
        properties.put(Verdict.MODE, "off");
        assertThat(verdict()).contains("Optimus is OFF: yarn.scheduler.optimus.mode = off");
        properties.put(Verdict.MODE, "advice");
        assertThat(verdict()).contains("is no mode", "will not start");
    }

    @Test
    public void saysWhatIsMissingBesides() {
        assertThat(verdict()).doesNotContain("missing");
        properties.put(Verdict.CLASSES, "com.example.Mine");
        assertThat(verdict()).contains("are missing: add io.optimus.yarn.web.OptimusResource");
    }

    private String verdict() {
        List<String> lines = Verdict.of(properties, SITE);
        return String.join("\n", lines);
    }
}
