package io.optimus.tests;

import static org.junit.Assume.assumeTrue;

import io.optimus.tests.SubmittedJob.CommandOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the project's scripts, and other commands. */
final class Script {
    private static final Path ROOT = Path.of(System.getProperty("optimus.root.dir"));
    private static final long LIMIT_MINUTES = 3;

    private Script() {}

    /** The script {@code name} of the folder scripts. */
    static String named(String name) {
        return ROOT.resolve("scripts").resolve(name).toString();
    }

    /** Skips the test if not all modules are built, which scripts need that start a cluster. */
    static void assumeBuilt() {
        assumeTrue(
                "tools/target/hadoop/lib is not there: build all modules (mvn verify) first",
                Files.isDirectory(ROOT.resolve("tools/target/hadoop/lib")));
    }

    /** Runs {@code command}, and returns what it printed, which is kept in a file in {@code folder} meanwhile. */
    static CommandOutput run(Path folder, List<String> command) throws Exception {
        Path printed = Files.createTempFile(folder, "printed", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError(
                    command + " took longer than " + LIMIT_MINUTES + " minutes: " + Files.readString(printed));
        }
        return new CommandOutput(process.exitValue(), Files.readString(printed));
    }
}
