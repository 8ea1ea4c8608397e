package io.optimus.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Runs {@code scripts/install} in a copy of the project's folders that has empty jars, on an installation that has few files. */
public final class InstallScriptTest {
    private static final String CAPACITY_SCHEDULER =
            "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";
    private static final long LONG_AGO_MILLIS = 1_000_000_000_000L;

    @Rule
    public final Timeout timeout = new Timeout(120, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path root = Path.of("");
    private Path home = Path.of("");
    private Path site = Path.of("");

    /** What the script printed, errors included. */
    private record Run(int exit, String text) {}

    @Before
    public void prepare() throws Exception {
        root = folder.getRoot().toPath().resolve("project");
        copy(Path.of("..", "scripts"), root.resolve("scripts"));
        copy(Path.of("..", "conf"), root.resolve("conf"));
        copy(Path.of("target", "classes"), root.resolve("tools/target/classes"));
        for (String module : List.of("model", "protocol", "pages", "sim", "yarn-plugin", "am", "tools")) {
            Files.createDirectories(root.resolve(module + "/src"));
            old(root.resolve(module + "/pom.xml"), "");
        }
        old(root.resolve("pom.xml"), "  <hadoop.version>3.4.2</hadoop.version>\n");
        Files.createDirectories(root.resolve("python/optimus_yarn"));
        empty("am/target/optimus-am.jar");
        empty("am/target/lib/native.jar");
        empty("sim/target/optimus-sim.jar");
        empty("yarn-plugin/target/optimus-yarn-plugin-0.1.0.jar");
        for (Class<?> part : List.of(ObjectMapper.class, JsonFactory.class, JsonProperty.class)) {
            URI jar = part.getProtectionDomain().getCodeSource().getLocation().toURI();
            Path lib = Files.createDirectories(root.resolve("tools/target/hadoop/lib"));
            Files.copy(Path.of(jar), lib.resolve(part.getSimpleName() + ".jar"));
        }
        home = folder.getRoot().toPath().resolve("hadoop");
        Files.createDirectories(home.resolve("share/hadoop/yarn/lib"));
        site = Files.createDirectories(home.resolve("etc/hadoop")).resolve("yarn-site.xml");
        site("mine", "1");
    }

    @Test
    public void installsEndsWithAVerdictAndTakesEverythingOutAgain() throws Exception {
        Map<String, String> before = files();

        Run install = run(home.toString());
        assertThat(install.exit()).as(install.text()).isZero();
        assertThat(lastLines(install)).contains("Optimus is in mode ADVISE", "carries out none");
        assertThat(home.resolve("share/hadoop/yarn/lib/optimus-yarn-plugin-0.1.0.jar"))
                .exists();
        assertThat(home.resolve("share/optimus/lib/native.jar")).exists();
        assertThat(home.resolve("share/optimus/optimus-sim.jar")).exists();
        assertThat(run(home.toString()).exit()).as("again").isZero();

        Run dry = run(home.toString(), "--uninstall", "--dry-run");
        assertThat(dry.text()).contains("takes out yarn.resourcemanager.scheduler.class", "would run: rm");
        Run uninstall = run(home.toString(), "--uninstall");
        assertThat(uninstall.exit()).as(uninstall.text()).isZero();
        assertThat(files()).isEqualTo(before);
        assertThat(run(home.toString(), "--uninstall").exit()).as("again").isZero();
    }

    @Test
    public void refusesAnotherVersionOfHadoop() throws Exception {
        Path yarn = home.resolve("share/hadoop/yarn");
        Path other = Files.createFile(yarn.resolve("hadoop-yarn-server-resourcemanager-3.3.6.jar"));
        Map<String, String> before = files();

        Run install = run(home.toString());
        assertThat(install.exit()).isEqualTo(2);
        assertThat(install.text()).contains("Nothing was changed", "has Hadoop 3.3.6", "is built for 3.4.2");
        assertThat(files()).isEqualTo(before);
        assertThat(run(home.toString(), "--uninstall").exit()).isZero();

        Files.move(other, yarn.resolve("hadoop-yarn-server-resourcemanager-3.4.2-vendor.1.jar"));
        Run vendors = run(home.toString());
        assertThat(vendors.exit()).as(vendors.text()).isZero();
    }

    @Test
    public void keepsWhatIsNotItsOwn() throws Exception {
        run(home.toString());
        Files.writeString(home.resolve("share/optimus/lib/mine.jar"), "mine");
        Files.writeString(site, Files.readString(site).replace(">advise<", ">enforce<"));

        Run uninstall = run(home.toString(), "--uninstall");

        assertThat(uninstall.text()).contains("KEPT yarn.scheduler.optimus.mode = enforce");
        assertThat(home.resolve("share/optimus/lib/mine.jar")).exists();
        assertThat(home.resolve("share/optimus/lib/native.jar")).doesNotExist();
        assertThat(SiteFile.read(site).properties()).containsOnlyKeys("mine", "yarn.scheduler.optimus.mode");
    }

    @Test
    public void saysThatASiteFileThatNamesCapacitySchedulerLeavesItOff() throws Exception {
        site("yarn.resourcemanager.scheduler.class", CAPACITY_SCHEDULER);

        assertThat(lastLines(run(home.toString())))
                .contains("Optimus is OFF", "names another scheduler, " + CAPACITY_SCHEDULER)
                .contains("set yarn.resourcemanager.scheduler.class = io.optimus.yarn.OptimusScheduler");
    }

    @Test
    public void takesNothingOutWhileTheSiteFileNamesClassesByHand() throws Exception {
        site("yarn.resourcemanager.scheduler.class", CAPACITY_SCHEDULER);
        run(home.toString());
        String ours = "io.optimus.yarn.OptimusScheduler";
        Files.writeString(site, Files.readString(site).replace(CAPACITY_SCHEDULER, ours));
        Map<String, String> before = files();

        Run uninstall = run(home.toString(), "--uninstall");
        assertThat(uninstall.exit()).isEqualTo(2);
        assertThat(uninstall.text())
                .contains("Nothing was changed", "yarn.resourcemanager.scheduler.class = " + ours)
                .doesNotContain("takes out");
        assertThat(files()).isEqualTo(before);

        Files.writeString(site, Files.readString(site).replace(ours, CAPACITY_SCHEDULER));
        assertThat(run(home.toString(), "--uninstall").exit()).isZero();
        assertThat(home.resolve("share/hadoop/yarn/lib/optimus-yarn-plugin-0.1.0.jar"))
                .doesNotExist();
    }

    @Test
    public void checksARunningClusterAndNamesWhatTheConfigurationSays() throws Exception {
        site("yarn.resourcemanager.webapp.address", "localhost:1");

        Run check = run("--check", "--conf-dir", home.resolve("etc/hadoop").toString());

        assertThat(check.exit()).isEqualTo(1);
        assertThat(check.text())
                .contains("http://localhost:1: does not answer", "What the configuration says", "Optimus is OFF");
        assertThat(run("--check", home.toString(), "--resource-manager", "http://localhost:2/")
                        .text())
                .contains("http://localhost:2: does not answer");
    }

    @Test
    public void refusesWhatMakesNoSense() throws Exception {
        assertThat(run().exit()).isEqualTo(2);
        assertThat(run(home.toString(), "--check", "--uninstall").text()).contains("either --check or --uninstall");
        assertThat(run(home.toString(), "--resource-manager", "http://x").text())
                .contains("only for --check");
        assertThat(run("--check").exit()).isEqualTo(2);
    }

    private Run run(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(root.resolve("scripts/install").toString()));
        command.addAll(List.of(arguments));
        Path out = folder.newFile().toPath();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().remove("HADOOP_CONF_DIR");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int exit = builder.start().waitFor();
        Run run = new Run(exit, Files.readString(out));
        Files.delete(out);
        return run;
    }

    /** The text from the verdict on. */
    private static String lastLines(Run run) {
        int verdict = run.text().lastIndexOf("\nOptimus is ");
        assertThat(verdict).as(run.text()).isPositive();
        return run.text().substring(verdict);
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(home)) {
            for (Path path : all.toList()) {
                files.put(path.toString(), Files.isRegularFile(path) ? Files.readString(path) : "");
            }
        }
        return files;
    }

    private void site(String name, String value) throws IOException {
        Files.writeString(
                site,
                "<configuration>\n  <property>\n    <name>" + name + "</name>\n    <value>" + value
                        + "</value>\n  </property>\n</configuration>\n");
    }

    private void empty(String path) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "");
    }

    private static void old(Path file, String content) throws IOException {
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.fromMillis(LONG_AGO_MILLIS));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path target = to.resolve(from.relativize(path));
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }
}
