package io.optimus.am.engine;

import io.optimus.model.Allocation;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An engine that leaves to another one what a subclass does not do itself. */
public abstract class WrappedEngine implements TrainingEngine {
    private final TrainingEngine wrapped;

    /** Wraps {@code wrapped}, which is closed with this engine. */
    protected WrappedEngine(TrainingEngine wrapped) {
        this.wrapped = wrapped;
    }

    @Override
    public List<ParameterBlock> blocks() {
        return wrapped.blocks();
    }

    @Override
    public ByteBuffer parameterBytes() {
        return wrapped.parameterBytes();
    }

    @Override
    public ByteBuffer gradientBytes() {
        return wrapped.gradientBytes();
    }

    @Override
    public int trainingSamples() {
        return wrapped.trainingSamples();
    }

    @Override
    public void initialise(long seed) {
        wrapped.initialise(seed);
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        return wrapped.step(part, progress);
    }

    @Override
    public float[] groupSettings() {
        return wrapped.groupSettings();
    }

    @Override
    public Optional<ProgramSettings> programSettings() {
        return wrapped.programSettings();
    }

    @Override
    public void reportTo(Consumer<ProgramReport> receiver) {
        wrapped.reportTo(receiver);
    }

    @Override
    public void failTo(Consumer<RuntimeException> receiver) {
        wrapped.failTo(receiver);
    }

    @Override
    public Optional<ActivityClock> clock() {
        return wrapped.clock();
    }

    @Override
    public Optional<Evaluation> evaluate() {
        return wrapped.evaluate();
    }

    @Override
    public ProgramOutput output() {
        return wrapped.output();
    }

    @Override
    public void runsOn(Allocation allocation) {
        wrapped.runsOn(allocation);
    }

    @Override
    public boolean paced() {
        return wrapped.paced();
    }

    @Override
    public long lateSteps() {
        return wrapped.lateSteps();
    }

    @Override
    public void close() {
        wrapped.close();
    }
}
