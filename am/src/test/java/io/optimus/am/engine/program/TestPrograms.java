package io.optimus.am.engine.program;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Starts programs with the package optimus_yarn as workers do. */
public final class TestPrograms {
    private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(5);
    private static final Program.Limits LIMITS = new Program.Limits(LIMIT, LIMIT, END, END, LIMIT, LIMIT, LIMIT);

    private static final long SEED = 7;

    private TestPrograms() {}

    /** Returns a program that has asked for its first batch. {@code home} is the folder of its worker. */
    public static TrainingEngine start(Path home, String program) {
        return start(home, program, new StepLimits(LIMIT, LIMIT));
    }

    /** The same with time limits, after which the program counts as hung. */
    public static TrainingEngine start(Path home, String program, StepLimits limits) {
        return new ProgramEngine(
                spec(home, program, List.of()),
                new ProgramEngine.Job(task(home), SEED, TrainingMode.SYNCHRONOUS),
                place(home),
                LIMITS.with(limits));
    }

    /** Returns the same of a program that trains in a group with those of other workers. */
    public static ProgramGroup startInGroup(Path home, String program, List<String> arguments) {
        return startInGroup(home, program, arguments, false);
    }

    /** Returns the same of a job that may adapt its batch. */
    public static ProgramGroup startInGroup(Path home, String program, List<String> arguments, boolean adaptsBatch) {
        return startInGroup(home, spec(home, program, arguments), Communication.ALL_REDUCE, adaptsBatch, LIMITS);
    }

    /** Returns the same with time limits, after which the program counts as hung. */
    public static ProgramGroup startInGroup(Path home, String program, Communication communication, StepLimits limits) {
        return startInGroup(home, spec(home, program, List.of()), communication, false, LIMITS.with(limits));
    }

    private static ProgramGroup startInGroup(
            Path home, ProgramSpec spec, Communication communication, boolean adaptsBatch, Program.Limits limits) {
        ProgramGroup.Job job = new ProgramGroup.Job(task(home), SEED, communication, adaptsBatch);
        return new ProgramGroup(spec, job, place(home), limits);
    }

    private static ProgramSpec spec(Path home, String program, List<String> arguments) {
        try {
            Files.writeString(Files.createDirectories(home).resolve("train.py"), program);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        TreeMap<String, String> environment = new TreeMap<>();
        environment.put("OMP_NUM_THREADS", "1");
        return new ProgramSpec(TestPython.NAME, new ProgramSpec.Main("train.py", false), arguments, environment);
    }

    private static String task(Path home) {
        return home.getFileName().toString();
    }

    private static Program.Place place(Path home) {
        return new Program.Place(home, PACKAGE.toString(), OutputStream.nullOutputStream());
    }
}
