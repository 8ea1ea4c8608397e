package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Runs the commands of the quick start, the user guide and the page on REST, one after the other, as a reader would. */
public final class QuickStartTest {
    private static final Path ROOT = Path.of(System.getProperty("optimus.root.dir"));
    private static final Pattern SUBMITTED = Pattern.compile("application_\\d+_\\d+");
    private static final int COMMAND_MINUTES = 5;

    @Rule
    public final Timeout timeout = new Timeout(15, TimeUnit.MINUTES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path runDir;
    private String application = "";

    @Before
    public void isBuilt() {
        runDir = folder.getRoot().toPath().resolve("cluster");
        assumeTrue(
                "tools/target/hadoop/lib is not there: build all modules (mvn verify) first",
                Files.isDirectory(ROOT.resolve("tools/target/hadoop/lib")));
    }

    @After
    public void stop() throws Exception {
        run("scripts/local-cluster stop");
    }

    @Test
    public void quickStart() throws Exception {
        runAll("quick-start.md");
    }

    @Test
    public void userGuideAndRest() throws Exception {
        run("scripts/local-cluster start --nodes 2 --gpus-per-node 2");
        runAll("user-guide.md");
        runAll("rest.md");
    }

    private void runAll(String page) throws Exception {
        List<String> commands = commands(page);
        assertThat(commands).as(page).isNotEmpty();
        for (String command : commands) {
            run(command);
        }
    }

    /** The lines of the page's blocks of shell commands. */
    private static List<String> commands(String page) throws IOException {
        List<String> commands = new ArrayList<>();
        boolean shell = false;
        for (String line : Files.readAllLines(ROOT.resolve("docs").resolve(page))) {
            if (line.startsWith("```")) {
                shell = line.equals("```sh");
            } else if (shell && !line.isBlank()) {
                commands.add(line);
            }
        }
        return commands;
    }

    /** Runs one command in the project's folder; those of an application are about the one that was submitted last. */
    private void run(String documented) throws Exception {
        String command = documented.replace("APPLICATION_ID", application);
        if (command.contains("RESOURCEMANAGER:8088")) {
            String port = Files.readString(runDir.resolve("web-port")).strip();
            command = command.replace("RESOURCEMANAGER:8088", "localhost:" + port)
                    .replace("curl ", "curl --silent --show-error --fail ");
        }
        Path printed = folder.newFile().toPath();
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-c", command)
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().put("OPTIMUS_RUN_DIR", runDir.toString());
        Process process = builder.start();
        if (!process.waitFor(COMMAND_MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError(command + " took too long: " + Files.readString(printed));
        }
        String text = Files.readString(printed);
        assertThat(process.exitValue()).as(command + ": " + text).isZero();
        Matcher submitted = SUBMITTED.matcher(text);
        if (command.contains(" submit ") && submitted.find()) {
            application = submitted.group();
        }
    }
}
