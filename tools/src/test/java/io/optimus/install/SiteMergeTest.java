package io.optimus.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class SiteMergeTest {
    private static final Path OURS = Path.of("../conf");
    private static final String CALCULATOR = "yarn.scheduler.capacity.resource-calculator";
    private static final String DOMINANT = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path theirs = Path.of("");

    @Before
    public void find() {
        theirs = folder.getRoot().toPath();
    }

    @Test
    public void beginsInAdviseMode() throws IOException {
        write("yarn-site.xml", "yarn.nodemanager.resource.memory-mb", "4096");

        merge();

        assertThat(SiteFile.read(theirs.resolve("yarn-site.xml")).properties())
                .containsEntry("yarn.resourcemanager.scheduler.class", "io.optimus.yarn.OptimusScheduler")
                .containsEntry("yarn.scheduler.optimus.mode", "advise")
                .containsEntry("yarn.nodemanager.resource.memory-mb", "4096");
    }

    @Test
    public void keepsExistingSettings() throws IOException {
        write("yarn-site.xml", "yarn.scheduler.optimus.mode", "enforce");
        String before = Files.readString(theirs.resolve("yarn-site.xml"));

        merge();
        String once = Files.readString(theirs.resolve("yarn-site.xml"));
        merge();

        assertThat(SiteFile.read(theirs.resolve("yarn-site.xml")).properties())
                .containsEntry("yarn.scheduler.optimus.mode", "enforce");
        assertThat(theirs.resolve("yarn-site.xml")).hasContent(once);
        assertThat(theirs.resolve("yarn-site.xml.before-optimus")).hasContent(before);
    }

    @Test
    public void takesOutExactlyWhatItPutIn() throws IOException {
        write("yarn-site.xml", "yarn.nodemanager.resource.memory-mb", "4096");
        String before = Files.readString(theirs.resolve("yarn-site.xml"));
        merge();
        merge();

        takeOut();

        assertThat(theirs.resolve("yarn-site.xml")).hasContent(before);
        assertThat(theirs.toFile().list()).containsExactly("yarn-site.xml");
        takeOut();
        assertThat(theirs.resolve("yarn-site.xml")).hasContent(before);
    }

    @Test
    public void keepsWhatTheAdministratorChangedSince() throws IOException {
        write("yarn-site.xml", "yarn.scheduler.optimus.round-interval", "60s");
        merge();
        Path site = theirs.resolve("yarn-site.xml");
        Files.writeString(
                site,
                Files.readString(site)
                        .replace("<value>advise</value>", "<value>enforce</value>")
                        .replace(
                                "</configuration>",
                                "<property><name>mine</name><value>1</value></property></configuration>"));

        takeOut();

        assertThat(SiteFile.read(site).properties())
                .containsOnlyKeys("yarn.scheduler.optimus.round-interval", "yarn.scheduler.optimus.mode", "mine")
                .containsEntry("yarn.scheduler.optimus.mode", "enforce");
        assertThat(theirs.resolve("yarn-site.xml.before-optimus")).exists();
    }

    private void takeOut() throws IOException {
        SiteMerge.main(new String[] {"take-out", theirs.toString(), "false", "yarn-site.xml"});
    }

    @Test
    public void leavesQueuesAndResourceTypesToTheAdministrator() throws IOException {
        write("yarn-site.xml", "a", "b");
        write("capacity-scheduler.xml", "yarn.scheduler.capacity.maximum-am-resource-percent", "0.1");
        String before = Files.readString(theirs.resolve("capacity-scheduler.xml"));

        merge();

        assertThat(theirs.resolve("capacity-scheduler.xml")).hasContent(before);
        assertThat(theirs.resolve("resource-types.xml")).doesNotExist();
    }

    @Test
    public void namesTheMissingSettingsForGpus() throws IOException {
        assertThat(GpuAdvice.of(OURS, theirs).get(0)).contains("are not counted", "resource-types.xml", DOMINANT);

        write("resource-types.xml", "yarn.resource-types", "yarn.io/fpga, yarn.io/gpu");
        assertThat(GpuAdvice.of(OURS, theirs)).hasSize(1).first().asString().contains("does not start", DOMINANT);

        write("capacity-scheduler.xml", CALCULATOR, DOMINANT);
        assertThat(GpuAdvice.of(OURS, theirs)).isEmpty();
    }

    private void merge() throws IOException {
        SiteMerge.main(List.of(OURS.toString(), theirs.toString(), "false", "yarn-site.xml")
                .toArray(String[]::new));
    }

    private void write(String file, String name, String value) throws IOException {
        Files.writeString(
                theirs.resolve(file),
                "<configuration>\n  <property>\n    <name>" + name + "</name>\n    <value>" + value
                        + "</value>\n  </property>\n</configuration>\n");
    }
}
