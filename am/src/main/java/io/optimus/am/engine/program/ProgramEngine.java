package io.optimus.am.engine.program;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.program.ProgramMessage.Finish;
import io.optimus.am.engine.program.ProgramMessage.Finished;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.Gradient;
import io.optimus.am.engine.program.ProgramMessage.Ready;
import io.optimus.am.engine.program.ProgramMessage.Report;
import io.optimus.am.engine.program.ProgramMessage.Step;
import io.optimus.am.engine.program.ProgramMessage.Welcome;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets a program of the job's owner compute the gradients. The program keeps its own training loop, in a process beside
 * the worker; each turn of the loop is one step. Parameters and gradients are in memory that both processes map, so that
 * the connection carries small messages only.
 *
 * <p>Example: a step sends {@code {"type":"step","step":12,...}}, the program computes its loss and writes the gradient
 * into memory, and answers {@code {"type":"gradient","loss":0.31,...}}. When the servers' reply has brought the
 * parameters of step 13 into memory, the next step's message lets the loop go on.
 */
public final class ProgramEngine implements TrainingEngine {
    /** This system property names where Python finds our package, in place of the worker's own jar. */
    public static final String PACKAGE_PROPERTY = "optimus.python.package";

    /** Reports before there is a receiver: more than a program makes until its first step. */
    private static final int KEPT_REPORTS = 100;

    private final Program program;
    private final ProgramDescription description;
    private final Object reporting = new Object();
    private final Deque<ProgramReport> kept = new ArrayDeque<>();
    private @Nullable Consumer<ProgramReport> receiver;
    private volatile long stepsDone;
    private boolean stepped;
    private boolean finished;
    private float[] groupSettings = new float[0];

    /**
     * The job of a program.
     *
     * @param task the name of the worker
     * @param seed the seed of initial parameters and of the order of samples
     * @param mode whether workers wait for each other
     */
    public record Job(String task, long seed, TrainingMode mode) {}

    /**
     * Starts the program in the worker's folder, and waits until it asks for its first batch.
     *
     * @throws ProgramFailedException if it ends or fails before, or if its model cannot be trained
     */
    public ProgramEngine(ProgramSpec spec, Job job) {
        this(spec, job, new Program.Place(Path.of(""), packages(), System.out), Program.Limits.DEFAULT);
    }

    ProgramEngine(ProgramSpec spec, Job job, Program.Place place, Program.Limits limits) {
        Welcome welcome = new Welcome(
                ProgramMessage.VERSION,
                job.task(),
                job.seed(),
                job.mode().name().toLowerCase(Locale.ROOT));
        this.program = Program.start(spec, place, limits, welcome, this::reported);
        try {
            FromProgram first = program.receiveFirst();
            if (!(first instanceof Ready ready)) {
                throw program.refuse("The program answered with " + first + " before it was ready");
            }
            this.description = ProgramDescription.of(ready, place.folder());
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
            return Path.of(ProgramEngine.class
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

    @Override
    public List<ParameterBlock> blocks() {
        return description.blocks();
    }

    @Override
    public FloatBuffer parameters() {
        return description.memory().parameters().duplicate();
    }

    @Override
    public FloatBuffer gradient() {
        return description.memory().gradient().duplicate();
    }

    @Override
    public int trainingSamples() {
        return description.samples();
    }

    @Override
    public Optional<ProgramSettings> programSettings() {
        return Optional.of(description.settings());
    }

    /** Leaves the parameters that the program itself initialised, from the job's seed, before its first step. */
    @Override
    public void initialise(long seed) {
        if (stepped) {
            throw new IllegalStateException("The program's initial parameters are gone after its first step");
        }
    }

    @Override
    public double step(StepPart part) {
        if (finished) {
            throw new IllegalStateException("The program was told to finish before step " + part.step());
        }
        stepped = true;
        stepsDone = part.step();
        StepPart.Worker worker = part.worker();
        program.send(new Step(
                part.step(),
                part.from(),
                part.count(),
                part.stride(),
                worker.rank(),
                worker.workers(),
                worker.batch()));
        FromProgram answer = program.receive();
        if (!(answer instanceof Gradient gradient)) {
            throw program.refuse("The program answered step " + part.step() + " with " + answer);
        }
        groupSettings = settings(gradient);
        return gradient.loss();
    }

    private float[] settings(Gradient gradient) {
        int groups = description.settings().groups();
        float[] settings = new float[2 * groups];
        if (gradient.groups().length != groups) {
            throw program.refuse("The program has described " + groups + " parameter groups and sent the settings of "
                    + gradient.groups().length + ": do not add groups to the optimizer after job.prepare");
        }
        for (int group = 0; group < groups; group++) {
            double[] values = gradient.groups()[group];
            if (values.length != 2) {
                throw program.refuse("Parameter group " + group + " needs a learning rate and a weight decay, got "
                        + Arrays.toString(values));
            }
            settings[2 * group] = (float) values[0];
            settings[2 * group + 1] = (float) values[1];
        }
        return settings;
    }

    @Override
    public float[] groupSettings() {
        return groupSettings.clone();
    }

    @Override
    public void reportTo(Consumer<ProgramReport> next) {
        synchronized (reporting) {
            receiver = next;
            kept.forEach(next);
            kept.clear();
        }
    }

    private void reported(Report report) {
        Map<String, Double> values = new TreeMap<>(report.values());
        values.values().removeIf(value -> value == null || !Double.isFinite(value));
        ProgramReport next = new ProgramReport(stepsDone, report.epoch(), values);
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

    @Override
    public void failTo(Consumer<RuntimeException> next) {
        program.failTo(next);
    }

    /**
     * Tells the program that the parameters are final, and waits until its loop has ended; then for the end of the
     * process, but not for long. YARN stops the worker's container soon after, and the program may still save its model.
     */
    @Override
    public Optional<Evaluation> evaluate() {
        if (!finished) {
            finished = true;
            long done = stepsDone;
            stepsDone = stepped ? done + 1 : done;
            program.send(new Finish());
            FromProgram answer = program.receive();
            if (!(answer instanceof Finished)) {
                throw program.refuse("The program answered the end of training with " + answer);
            }
            program.awaitEnd();
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        program.close();
    }
}
