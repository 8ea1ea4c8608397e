package io.optimus.hadooptests;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs tests of one class in a JVM of their own, by JUnit's console. */
final class TestJvm {
    /** What Hadoop's own build opens to its tests. */
    private static final List<String> OPENED_PACKAGES = List.of(
            "java.io",
            "java.lang",
            "java.lang.reflect",
            "java.math",
            "java.net",
            "java.text",
            "java.util",
            "java.util.concurrent",
            "java.util.zip",
            "sun.security.util",
            "sun.security.x509");

    private static final String INITIALIZATIONS = "initializations.log";
    private static final String MADE_OPTIMUS =
            "'" + Side.OPTIMUS.schedulerClass().replace('.', '/') + "'";
    private static final double NANOS_PER_SECOND = 1e9;
    /** Within this time, a JVM that hangs writes the stacks of its threads into the log. */
    private static final long STACKS_SECONDS = 5;

    private final String java;
    private final Path jars;
    private final boolean ownNetwork;
    private final Duration timeLimit;

    /**
     * @param java the command
     * @param jars folder with the class path of the tests, except the tests themselves
     * @param ownNetwork whether each JVM gets a network namespace, so that no port is in use
     * @param timeLimit after which a JVM is ended
     */
    TestJvm(String java, Path jars, boolean ownNetwork, Duration timeLimit) {
        this.java = java;
        this.jars = jars;
        this.ownNetwork = ownNetwork;
        this.timeLimit = timeLimit;
    }

    /** Whether this machine lets its user make network namespaces. */
    static boolean canHaveOwnNetwork() throws InterruptedException {
        try {
            Process trial = new ProcessBuilder(inOwnNetwork(List.of("true")))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return trial.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Runs the tests and waits for their end.
     *
     * @param methods names of test methods; empty for all of the class
     * @param folder the surroundings, the working folder of the JVM
     * @param results folder for what the JVM prints, and for the reports
     */
    RunResult run(String testClass, List<String> methods, Path folder, Path results)
            throws IOException, InterruptedException {
        List<String> command = command(testClass, methods, folder, results);
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(ownNetwork ? inOwnNetwork(command) : command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(results.resolve("output.log").toFile())
                .start();
        boolean ended;
        try {
            ended = process.waitFor(timeLimit.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid()))
                        .start()
                        .waitFor();
                process.waitFor(STACKS_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
        return result(folder, results, ended ? Optional.empty() : Optional.of("no end after " + timeLimit), seconds);
    }

    private static RunResult result(Path folder, Path results, Optional<String> problem, double seconds)
            throws IOException {
        boolean madeOptimus;
        try (Stream<String> lines = Files.lines(folder.resolve(INITIALIZATIONS))) {
            madeOptimus = lines.anyMatch(line -> line.contains(MADE_OPTIMUS));
        }
        Map<String, Outcome> outcomes = Reports.read(results);
        Optional<String> found = problem.isEmpty() && outcomes.isEmpty() ? Optional.of("no test was run") : problem;
        return new RunResult(outcomes, seconds, found, madeOptimus);
    }

    private List<String> command(String testClass, List<String> methods, Path folder, Path results) {
        Path target = folder.resolve("target");
        List<String> command = new ArrayList<>(List.of(java, "-Xmx2g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        OPENED_PACKAGES.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
        command.addAll(List.of(
                "-Djdk.net.hosts.file=" + folder.resolve(Surroundings.HOSTS),
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.security.krb5.conf=" + target.resolve("test-classes/krb5.conf"),
                "-Djava.security.egd=file:///dev/urandom",
                "-Djava.io.tmpdir=" + target.resolve("tmp"),
                "-Dhadoop.log.dir=" + target.resolve("log"),
                "-Dhadoop.tmp.dir=" + target.resolve("tmp"),
                "-Dtest.build.dir=" + target.resolve("test-dir"),
                "-Dtest.build.data=" + target.resolve("test-dir"),
                "-Dtest.build.classes=" + target.resolve("test-classes"),
                "-Xlog:class+init=info:file=" + folder.resolve(INITIALIZATIONS) + ":none",
                "-cp",
                target.resolve("test-classes") + File.pathSeparator + jars.resolve("*"),
                "org.junit.platform.console.ConsoleLauncher",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=tree",
                "--reports-dir=" + results));
        if (methods.isEmpty()) {
            command.add("--select-class=" + testClass);
        } else {
            methods.forEach(method -> command.add("--select-method=" + testClass + "#" + method));
        }
        return command;
    }

    private static List<String> inOwnNetwork(List<String> command) {
        List<String> wrapped = new ArrayList<>(
                List.of("unshare", "--map-root-user", "--net", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh"));
        wrapped.addAll(command);
        return wrapped;
    }
}
