package io.optimus.am.engine.program;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.Ready;
import io.optimus.am.engine.program.ProgramMessage.Report;
import io.optimus.am.engine.program.ProgramMessage.Welcome;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A program that has asked for its first batch: what it trains, and what it reports. */
final class ReadyProgram {
    /** This system property names where Python finds our package, in place of the worker's own jar. */
    private static final String PACKAGE_PROPERTY = "optimus.python.package";

    /** Reports before there is a receiver: more than a program makes until its first step. */
    private static final int KEPT_REPORTS = 100;

    /** The folder, in the program's working folder, of the files that the job keeps. */
    private static final String OUTPUT = "output";

    private final Path folder;
    private final Program.Limits limits;
    private final Program program;
    private final ProgramDescription description;
    private final Object reporting = new Object();
    private final Deque<ProgramReport> kept = new ArrayDeque<>();
    private @Nullable Consumer<ProgramReport> receiver;
    private volatile long stepsDone;

    /**
     * The job of a program.
     *
     * @param task the name of the worker
     * @param seed the seed of initial parameters and of the order of samples
     * @param mode whether workers wait for each other
     * @param communication how workers combine their gradients
     * @param adaptsBatch whether the program measures the gradient's noise, and scales its learning rate with the batch
     */
    record Job(String task, long seed, TrainingMode mode, Communication communication, boolean adaptsBatch) {
        Welcome welcome() {
            return new Welcome(ProgramMessage.VERSION, task, seed, word(mode), word(communication), adaptsBatch);
        }

        private static String word(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Starts a program in the worker's folder, and waits until it asks for its first batch. */
    ReadyProgram(ProgramSpec spec, Job job, Program.Limits limits) {
        this(spec, job, new Program.Place(Path.of(""), packages(), System.out), limits);
    }

    /**
     * Starts a program, and waits until it asks for its first batch.
     *
     * @throws ProgramFailedException if it ends or fails before, or if its model cannot be trained
     */
    ReadyProgram(ProgramSpec spec, Job job, Program.Place place, Program.Limits limits) {
        this.folder = place.folder();
        this.limits = limits;
        this.program = Program.start(spec, place, limits, job.welcome(), this::reported);
        try {
            FromProgram first = program.receiveFirst();
            if (!(first instanceof Ready ready)) {
                throw program.refuse("The program answered with " + first + " before it was ready");
            }
            this.description = ProgramDescription.of(ready, job.communication(), place.folder());
        } catch (IOException e) {
            throw program.refuse(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            program.close();
            throw e;
        }
    }

    private static String packages() {
        String given = System.getProperty(PACKAGE_PROPERTY);
        if (given != null) {
            return given;
        }
        try {
            // Python imports from folders of zip files too.
            return Path.of(ReadyProgram.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("python")
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("Cannot find the worker's jar", e);
        }
    }

    /** Lets the program do what follows its loop. Returns what it left. */
    ProgramOutput awaitEnd() {
        Optional<String> problem = program.awaitEnd();
        Path saved = folder.resolve(OUTPUT).toAbsolutePath();
        return new ProgramOutput(
                Files.isDirectory(saved) ? Optional.of(saved) : Optional.empty(),
                problem.stream().toList());
    }

    /** A watch over this program, for the thread that receives. */
    ProgramWatch watch() {
        return new ProgramWatch(limits);
    }

    Program program() {
        return program;
    }

    ProgramDescription description() {
        return description;
    }

    /** The number of steps done, which reports are given. */
    long stepsDone() {
        return stepsDone;
    }

    void stepsDone(long steps) {
        stepsDone = steps;
    }

    /** Sets the receiver of reports, which gets those that came before too. */
    void reportTo(Consumer<ProgramReport> next) {
        synchronized (reporting) {
            receiver = next;
            kept.forEach(next);
            kept.clear();
        }
    }

    private void reported(Report report) {
        Map<String, Double> values = new TreeMap<>(report.values());
        values.values().removeIf(value -> value == null || !Double.isFinite(value));
        ProgramReport next = new ProgramReport(
                stepsDone, report.epoch(), values, report.bends().orElse(List.of()));
        synchronized (reporting) {
            if (receiver != null) {
                receiver.accept(next);
            } else {
                kept.addLast(next);
                if (kept.size() > KEPT_REPORTS) {
                    kept.removeFirst();
                }
            }
        }
    }
}
