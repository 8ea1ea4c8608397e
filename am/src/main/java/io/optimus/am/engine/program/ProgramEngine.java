package io.optimus.am.engine.program;

import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.program.ProgramMessage.Finish;
import io.optimus.am.engine.program.ProgramMessage.Finished;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.Gradient;
import io.optimus.am.engine.program.ProgramMessage.GradientFrom;
import io.optimus.am.engine.program.ProgramMessage.Loss;
import io.optimus.am.engine.program.ProgramMessage.Step;
import io.optimus.model.TrainingMode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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
    private final ReadyProgram ready;
    private final Program program;
    private final ProgramWatch watch;
    private boolean stepped;
    private boolean finished;
    private ProgramOutput output = ProgramOutput.NONE;
    private float[] groupSettings = new float[0];

    /**
     * The job of a program.
     *
     * @param task the name of the worker
     * @param seed the seed of initial parameters and of the order of samples
     * @param mode whether workers wait for each other
     */
    public record Job(String task, long seed, TrainingMode mode) {
        ReadyProgram.Job withServers() {
            return new ReadyProgram.Job(task, seed, mode, Communication.PARAMETER_SERVER, false);
        }
    }

    /**
     * Starts the program in the worker's folder, and waits until it asks for its first batch.
     *
     * @param limits the times after which the program counts as hung
     * @throws ProgramFailedException if it ends or fails before, or if its model cannot be trained
     */
    public ProgramEngine(ProgramSpec spec, Job job, StepLimits limits) {
        this(new ReadyProgram(spec, job.withServers(), Program.Limits.DEFAULT.with(limits)));
    }

    ProgramEngine(ProgramSpec spec, Job job, Program.Place place, Program.Limits limits) {
        this(new ReadyProgram(spec, job.withServers(), place, limits));
    }

    private ProgramEngine(ReadyProgram ready) {
        this.ready = ready;
        this.program = ready.program();
        this.watch = ready.watch();
    }

    @Override
    public List<ParameterBlock> blocks() {
        return ready.description().blocks();
    }

    @Override
    public ByteBuffer parameterBytes() {
        return ready.description().memory().parameters();
    }

    @Override
    public ByteBuffer gradientBytes() {
        return ready.description().memory().gradient();
    }

    @Override
    public int trainingSamples() {
        return ready.description().samples();
    }

    @Override
    public Optional<ProgramSettings> programSettings() {
        return Optional.of(ready.description().settings());
    }

    /** Leaves the parameters that the program itself initialised, from the job's seed, before its first step. */
    @Override
    public void initialise(long seed) {
        if (stepped) {
            throw new IllegalStateException("The program's initial parameters are gone after its first step");
        }
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        if (finished) {
            throw new IllegalStateException("The program was told to finish before step " + part.step());
        }
        stepped = true;
        ready.stepsDone(part.step());
        watch.stepBegins();
        StepPart.Worker worker = part.worker();
        program.send(new Step(
                part.step(),
                part.from(),
                part.count(),
                part.stride(),
                worker.rank(),
                worker.workers(),
                worker.batch()));
        Gradient gradient = answer(part.step(), progress);
        watch.stepEnded();
        groupSettings = settings(gradient.groups());
        return gradient.loss();
    }

    private Gradient answer(long step, StepProgress progress) {
        boolean told = false;
        while (true) {
            FromProgram answer = program.receive(watch, "step " + step);
            if (answer instanceof Gradient gradient) {
                return gradient;
            } else if (answer instanceof Loss loss && !told) {
                told = true;
                groupSettings = settings(loss.groups());
                progress.lossKnown(loss.loss());
                if (loss.parametersRead()) {
                    progress.parametersRead();
                }
            } else if (answer instanceof GradientFrom complete && told && complete.from() >= 0) {
                progress.gradientFrom(complete.from());
            } else {
                watch.stepEnded();
                throw program.refuse("The program answered step " + step + " with " + answer);
            }
        }
    }

    private float[] settings(double[][] sent) {
        int groups = ready.description().settings().groups();
        float[] settings = new float[2 * groups];
        if (sent.length != groups) {
            throw program.refuse("The program has described " + groups + " parameter groups and sent the settings of "
                    + sent.length + ": do not add groups to the optimizer after job.prepare");
        }
        for (int group = 0; group < groups; group++) {
            double[] values = sent[group];
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
        ready.reportTo(next);
    }

    @Override
    public Optional<ActivityClock> clock() {
        return Optional.of(watch.clock());
    }

    @Override
    public void failTo(Consumer<RuntimeException> next) {
        program.failTo(next);
    }

    /**
     * Tells the program that the parameters are final, and waits until its loop has ended; then for the end of the
     * process, which may still save its model and more.
     */
    @Override
    public Optional<Evaluation> evaluate() {
        if (!finished) {
            finished = true;
            if (stepped) {
                ready.stepsDone(ready.stepsDone() + 1);
            }
            watch.trainingEnded();
            program.send(new Finish());
            FromProgram answer = program.receive(watch, "the end of training");
            if (!(answer instanceof Finished)) {
                throw program.refuse("The program answered the end of training with " + answer);
            }
            watch.trainingEnded();
            output = ready.awaitEnd();
        }
        return Optional.empty();
    }

    @Override
    public ProgramOutput output() {
        return output;
    }

    @Override
    public void close() {
        program.close();
    }
}
