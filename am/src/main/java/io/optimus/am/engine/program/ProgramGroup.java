package io.optimus.am.engine.program;

import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.Communication;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.GroupEngine;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.program.ProgramMessage.Boundary;
import io.optimus.am.engine.program.ProgramMessage.Finished;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.Interrupted;
import io.optimus.am.engine.program.ProgramMessage.Saved;
import io.optimus.am.engine.program.ProgramMessage.Started;
import io.optimus.am.engine.program.ProgramMessage.Stepped;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.model.TrainingMode;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Lets a program of the job's owner train in a group with the programs of the other workers. The programs average their
 * gradients among themselves, or have servers do it, and each applies the average to parameters of its own. They step by
 * themselves; the connection carries where they begin and stop, and the requests for averages.
 *
 * <p>Example: {@code {"type":"begin","membership":"1.4","step":12,...}} is answered by {@code started}, then {@code stepped}
 * after each step. After {@code {"type":"stop","membership":"1.4"}} to the first program, all answer {@code
 * {"type":"boundary","membership":"1.4","step":31}}.
 */
public final class ProgramGroup implements GroupEngine {
    private final ReadyProgram ready;
    private final Program program;
    private final ProgramWatch watch;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    /** What failed in this worker, beside its program. */
    private final CompletableFuture<RuntimeException> fault = new CompletableFuture<>();

    private boolean finishing;
    private ProgramOutput output = ProgramOutput.NONE;

    /**
     * The job of a program.
     *
     * @param task the name of the worker
     * @param seed the seed of initial parameters and of the order of samples
     * @param communication how the programs combine their gradients: not by servers that apply them
     * @param adaptsBatch whether it measures the gradient's noise, and scales its learning rate with the batch
     */
    public record Job(String task, long seed, Communication communication, boolean adaptsBatch) {
        ReadyProgram.Job ready() {
            return new ReadyProgram.Job(task, seed, TrainingMode.SYNCHRONOUS, communication, adaptsBatch);
        }
    }

    /**
     * Starts the program in the worker's folder, and waits until it asks for its first batch.
     *
     * @param limits the times after which the program counts as hung
     * @throws ProgramFailedException if it ends or fails before, or if its model cannot be trained
     */
    public ProgramGroup(ProgramSpec spec, Job job, StepLimits limits) {
        this(new ReadyProgram(spec, job.ready(), Program.Limits.DEFAULT.with(limits)));
    }

    ProgramGroup(ProgramSpec spec, Job job, Program.Place place, Program.Limits limits) {
        this(new ReadyProgram(spec, job.ready(), place, limits));
    }

    private ProgramGroup(ReadyProgram ready) {
        this.ready = ready;
        this.program = ready.program();
        this.watch = ready.watch();
    }

    @Override
    public List<ParameterBlock> blocks() {
        return ready.description().blocks();
    }

    @Override
    public int trainingSamples() {
        return ready.description().samples();
    }

    @Override
    public Optional<ProgramSettings> programSettings() {
        return Optional.of(ready.description().settings());
    }

    @Override
    public int rendezvousPort() {
        return ready.description().rendezvous();
    }

    @Override
    public FloatBuffer memory() {
        return TrainingEngine.floats(ready.description().memory().parameters());
    }

    @Override
    public ByteBuffer averaged() {
        return ready.description().memory().gradient();
    }

    @Override
    public void reportTo(Consumer<ProgramReport> receiver) {
        ready.reportTo(receiver);
    }

    @Override
    public Optional<ActivityClock> clock() {
        return Optional.of(watch.clock());
    }

    @Override
    public void failTo(Consumer<RuntimeException> receiver) {
        program.failTo(receiver);
        var unused = fault.thenAccept(receiver);
    }

    @Override
    public void follow(Listener listener) {
        DaemonThreads.named("program-events").newThread(() -> receive(listener)).start();
    }

    private void receive(Listener listener) {
        try {
            while (!finished.isDone()) {
                handle(program.receive(watch, "step " + ready.stepsDone()), listener);
            }
        } catch (ProgramFailedException e) {
            // The program has told the worker; only evaluate() may wait for it.
            finished.completeExceptionally(e);
        } catch (RuntimeException | Error e) {
            // The program would wait for ever, for example for an average for which there was no memory.
            finished.completeExceptionally(e);
            fault.complete(new IllegalStateException("It failed beside its program: " + e, e));
        }
    }

    private void handle(FromProgram message, Listener listener) {
        if (message instanceof Started started) {
            watch.stepBegins();
            ready.stepsDone(started.step());
            listener.started(started.membership(), started.step());
        } else if (message instanceof ProgramMessage.AtDecision due) {
            watch.waits();
            listener.atDecision(due.membership(), due.step());
        } else if (message instanceof ProgramMessage.Share share) {
            watch.waits();
            listener.average(new Share(
                    share.membership(), share.step(), share.count(), share.batch(), share.loss(), share.last()));
            watch.stepBegins();
        } else if (message instanceof Stepped stepped) {
            watch.stepEnded();
            watch.stepBegins();
            ready.stepsDone(stepped.step() + 1);
            listener.stepped(stepped.membership(), stepped.step(), stepped.loss(), stepped.measurement());
        } else if (message instanceof Boundary boundary) {
            watch.waits();
            listener.atBoundary(boundary.membership(), boundary.step());
        } else if (message instanceof Interrupted interrupted) {
            watch.waits();
            listener.interrupted(interrupted.membership(), interrupted.step(), interrupted.reason());
        } else if (message instanceof Saved saved) {
            listener.saved(saved.step());
        } else if (message instanceof Finished) {
            finished.complete(null);
        } else {
            throw program.refuse(
                    "The program sent " + message + ", which a job whose workers apply gradients does not expect");
        }
    }

    @Override
    public void begin(Membership membership) {
        program.send(ProgramMessage.Begin.of(membership));
    }

    @Override
    public void stop(String membership) {
        program.send(new ProgramMessage.Stop(membership));
    }

    @Override
    public void goOn(String membership, long decision) {
        watch.stepBegins();
        program.send(new ProgramMessage.GoOn(membership, decision));
    }

    @Override
    public void abort(String membership) {
        program.send(new ProgramMessage.Abort(membership));
    }

    @Override
    public void save(long step) {
        program.send(new ProgramMessage.Save(step));
    }

    @Override
    public void average(Average average) {
        program.send(new ProgramMessage.Average(average.membership(), average.step(), average.loss(), average.last()));
    }

    @Override
    public void averageFailed(String membership, long step, String reason) {
        program.send(new ProgramMessage.AverageFailed(membership, step, reason));
    }

    @Override
    public void taken() {
        program.send(new ProgramMessage.Taken());
    }

    /**
     * Tells the program that its parameters are final, and waits until its loop has ended; then for the end of the
     * process, which may still save its model and more.
     */
    @Override
    public Optional<Evaluation> evaluate() {
        if (!finishing) {
            finishing = true;
            watch.trainingEnded();
            program.send(new ProgramMessage.Finish());
            try {
                finished.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
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
