package io.optimus.dataplane;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** An engine that computes nothing, or sleeps for a while: its gradient stays as it is. Prints the time of each step. */
final class IdleEngine implements TrainingEngine {
    private static final int SAMPLES = 64;
    private static final float GRADIENT = 1e-6f;
    private static final int PIECES = 32;
    private static final double FORWARD = 1 / 3.0;

    private final IdleModel model;
    private final ByteBuffer parameters;
    private final ByteBuffer gradient;

    IdleEngine(IdleModel model) {
        this.model = model;
        parameters = TrainingEngine.vector(model.floats());
        gradient = TrainingEngine.vector(model.floats());
        for (int i = 0; i < model.floats(); i++) {
            gradient.putFloat(i * Float.BYTES, GRADIENT);
        }
    }

    @Override
    public List<ParameterBlock> blocks() {
        return List.of(ParameterBlock.parameter("weights", parameters.capacity() / Float.BYTES));
    }

    @Override
    public ByteBuffer parameterBytes() {
        return parameters;
    }

    @Override
    public ByteBuffer gradientBytes() {
        return gradient;
    }

    @Override
    public int trainingSamples() {
        return SAMPLES;
    }

    @Override
    public void initialise(long seed) {}

    @Override
    public double step(StepPart part, StepProgress progress) {
        long start = System.nanoTime();
        ExchangeTimes.tell();
        if (!model.overlaps()) {
            sleepUntil(start, 1);
            return 1;
        }
        sleepUntil(start, FORWARD);
        progress.lossKnown(1);
        progress.parametersRead();
        for (int left = PIECES - 1; left >= 0; left--) {
            sleepUntil(start, 1 - (1 - FORWARD) * left / PIECES);
            progress.gradientFrom((int) ((long) model.floats() * left / PIECES));
        }
        return 1;
    }

    private void sleepUntil(long startNanos, double share) {
        long until = startNanos + (long) (share * TimeUnit.MILLISECONDS.toNanos(model.stepMillis()));
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public Optional<Evaluation> evaluate() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
