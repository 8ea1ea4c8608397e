package io.optimus.hadooptests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Runs a test class on CapacityScheduler and on OptimusScheduler, and repeats what differs. */
final class BothSides {
    private final TestJvm jvm;
    private final Surroundings surroundings;
    private final Path runs;
    private final Path results;
    private final int repeats;

    /**
     * @param surroundings what is copied for each run
     * @param folder where runs have their working folders and results
     * @param repeats how often a test that differs is run again on each side
     */
    BothSides(TestJvm jvm, Surroundings surroundings, Path folder, int repeats) {
        this.jvm = jvm;
        this.surroundings = surroundings;
        this.runs = folder.resolve("runs");
        this.results = folder.resolve("results");
        this.repeats = repeats;
    }

    /** Runs all tests of the class once on each side, then those that are red on OptimusScheduler only. */
    ClassResult compare(String testClass) throws IOException, InterruptedException {
        RunResult stock = run(testClass, List.of(), Side.STOCK, 0);
        RunResult optimus = run(testClass, List.of(), Side.OPTIMUS, 0);
        Set<String> different = ClassResult.redOnOptimusOnly(stock, optimus);
        return new ClassResult(testClass, stock, optimus, repeated(testClass, different));
    }

    /** The first repeat is of the whole class, since a test may depend on those before it; in the others it is alone. */
    private List<Repeats> repeated(String testClass, Set<String> tests) throws IOException, InterruptedException {
        List<Repeats> counted = new ArrayList<>();
        tests.forEach(test -> counted.add(new Repeats(test, 1, 0, 1)));
        for (int repeat = 1; repeat <= repeats && !tests.isEmpty(); repeat++) {
            List<String> methods = repeat == 1 ? List.of() : methods(testClass, tests);
            RunResult stock = run(testClass, methods, Side.STOCK, repeat);
            RunResult optimus = run(testClass, methods, Side.OPTIMUS, repeat);
            counted.replaceAll(before -> new Repeats(
                    before.test(),
                    before.runs() + 1,
                    before.redOnStock() + (stock.isRed(before.test()) ? 1 : 0),
                    before.redOnOptimus() + (optimus.isRed(before.test()) ? 1 : 0)));
        }
        return counted;
    }

    /** The methods of the tests; none, which is the whole class, where the class itself did not begin. */
    private static List<String> methods(String testClass, Set<String> tests) {
        List<String> methods = tests.stream()
                .map(test -> test.replaceAll("\\W.*", ""))
                .distinct()
                .toList();
        return methods.contains("initializationError") || tests.contains(testClass) ? List.of() : methods;
    }

    private RunResult run(String testClass, List<String> methods, Side side, int repeat)
            throws IOException, InterruptedException {
        String name = testClass.substring(testClass.lastIndexOf('.') + 1) + "-" + side.label() + "-" + repeat;
        Path folder = runs.resolve(name);
        surroundings.copyTo(folder, side);
        Path result = results.resolve(name);
        Surroundings.delete(result);
        try {
            return jvm.run(testClass, methods, folder, Files.createDirectories(result));
        } finally {
            Surroundings.delete(folder);
        }
    }
}
