package io.optimus.hadooptests;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The program behind {@code scripts/hadoop-tests}. */
@Command(
        name = "hadoop-tests",
        mixinStandardHelpOptions = true,
        description = "Runs tests of Hadoop's ResourceManager on CapacityScheduler and on OptimusScheduler.")
final class HadoopTests implements Callable<Integer> {
    private static final int REGRESSION = 1;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--jars", required = true, hidden = true, description = "The folder with the jars of the tests.")
    private Path jars = Path.of("");

    @Option(names = "--folder", required = true, hidden = true, description = "Where runs and logs are.")
    private Path folder = Path.of("");

    @Option(names = "--java", required = true, hidden = true, description = "The java command.")
    private String java = "java";

    @Option(names = "--all", description = "All test classes of the ResourceManager.")
    private boolean all;

    @Option(names = "--list", description = "Prints the test classes and runs none.")
    private boolean list;

    @Option(
            names = "--repeats",
            defaultValue = "5",
            description = "How often a test that differs is run again on each side (default: ${DEFAULT-VALUE}).")
    private int repeats;

    @Option(
            names = "--parallel",
            defaultValue = "1",
            description = "Test classes at a time; more than 1 needs network namespaces (default: ${DEFAULT-VALUE}).")
    private int parallel;

    @Option(
            names = "--minutes",
            defaultValue = "20",
            description = "After this, the run of a test class is ended (default: ${DEFAULT-VALUE}).")
    private int minutes;

    @Parameters(paramLabel = "CLASS", description = "Simple or full names of test classes.")
    private List<String> classes = List.of();

    private HadoopTests() {}

    /** Exits 1 where a test regresses, 2 where the command line is wrong, else 0. */
    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(HadoopTests::endTests, "end of tests"));
        System.exit(new CommandLine(new HadoopTests()).execute(arguments));
    }

    private static void endTests() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        TestJar jar = TestJar.read(testJar());
        List<String> chosen = chosen(jar);
        if (list) {
            chosen.forEach(out::println);
            return 0;
        }
        boolean ownNetwork = TestJvm.canHaveOwnNetwork();
        if (!ownNetwork && parallel > 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--parallel needs network namespaces, because tests use fixed ports, and 'unshare --net' fails here");
        }
        Surroundings surroundings = Surroundings.make(folder.resolve("surroundings"), jar);
        TestJvm jvm = new TestJvm(java, jars, ownNetwork, Duration.ofMinutes(minutes));
        List<ClassResult> results = compare(chosen, new BothSides(jvm, surroundings, folder, repeats));
        new Summary(out).print(results);
        try (PrintStream file = new PrintStream(folder.resolve("results.md").toFile(), StandardCharsets.UTF_8)) {
            new Summary(file).print(results);
        }
        return results.stream().anyMatch(ClassResult::hasRegression) ? REGRESSION : 0;
    }

    private List<ClassResult> compare(List<String> chosen, BothSides bothSides)
            throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(parallel);
        try {
            List<Future<ClassResult>> running = new ArrayList<>();
            for (String testClass : chosen) {
                running.add(threads.submit(() -> {
                    ClassResult result = bothSides.compare(testClass);
                    System.err.println(Summary.line(result));
                    return result;
                }));
            }
            List<ClassResult> results = new ArrayList<>();
            for (Future<ClassResult> result : running) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private List<String> chosen(TestJar jar) {
        List<String> known = jar.testClasses();
        if (classes.isEmpty()) {
            return all ? known : jar.schedulerTests();
        }
        List<String> chosen = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (String name : classes) {
            List<String> found = known.stream()
                    .filter(testClass -> testClass.equals(name) || testClass.endsWith("." + name))
                    .toList();
            chosen.addAll(found);
            if (found.isEmpty()) {
                unknown.add(name);
            }
        }
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "no test classes of the ResourceManager: " + String.join(", ", unknown)
                            + ". Remedy: --list --all prints their names.");
        }
        return chosen;
    }

    private Path testJar() throws IOException {
        try (Stream<Path> files = Files.list(jars)) {
            return files.filter(file ->
                            file.getFileName().toString().matches("hadoop-yarn-server-resourcemanager-.*-tests\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException(jars + " has no jar of the ResourceManager's tests"));
        }
    }
}
