package io.optimus.hadooptests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.junit.Test;

/** Reads the published jar of Hadoop's tests. */
public class TestJarTest {
    private static final String SCHEDULERS = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.";

    @Test
    public void testsOfSchedulersNameCapacitySchedulerThemselvesOrInASuperclass() throws Exception {
        assertThat(jar().schedulerTests())
                .contains(SCHEDULERS + "capacity.TestCapacityScheduler", SCHEDULERS + "TestAbstractYarnScheduler")
                .doesNotContain(SCHEDULERS + "fair.TestFairScheduler", SCHEDULERS + "capacity.TestQueueCapacities")
                .isSubsetOf(jar().testClasses());
    }

    @Test
    public void abstractAndNestedClassesAreNoTests() throws Exception {
        assertThat(jar().testClasses())
                .contains("org.apache.hadoop.yarn.server.resourcemanager.TestRMRestart")
                .noneMatch(name -> name.contains("$"))
                .noneMatch(name -> name.endsWith("TestBase"));
    }

    private static TestJar jar() throws IOException, URISyntaxException {
        return TestJar.read(Path.of(
                MockRM.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
}
