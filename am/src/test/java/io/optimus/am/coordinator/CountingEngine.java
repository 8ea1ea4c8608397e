package io.optimus.am.coordinator;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts updates. Its gradient is −1 everywhere, so with plain descent at rate 1 every parameter grows by 1 in each
 * update. Float i starts at i, so that a shard at the wrong position is found. The loss is the largest deviation, so that
 * one wrong parameter fails a test. Each step tells of its gradient piece by piece.
 */
final class CountingEngine implements TrainingEngine {
    private static final int SAMPLES = 64;
    private static final int PIECES = 4;

    private final int floats;
    private final int values;
    private final long stepMicros;
    private final ByteBuffer parameterBytes;
    private final ByteBuffer gradientBytes;
    private final FloatBuffer parameters;

    CountingEngine(int floats, long stepMicros) {
        this(floats, stepMicros, Integer.MAX_VALUE);
    }

    /** Float i starts at i modulo {@code values}. */
    CountingEngine(int floats, long stepMicros, int values) {
        this.values = values;
        this.floats = floats;
        this.stepMicros = stepMicros;
        this.parameterBytes = TrainingEngine.vector(floats);
        this.gradientBytes = TrainingEngine.vector(floats);
        this.parameters = TrainingEngine.floats(parameterBytes);
        FloatBuffer gradient = TrainingEngine.floats(gradientBytes);
        for (int i = 0; i < floats; i++) {
            gradient.put(i, -1);
        }
    }

    @Override
    public List<ParameterBlock> blocks() {
        return List.of(ParameterBlock.parameter("a", floats / 3), ParameterBlock.parameter("b", floats - floats / 3));
    }

    @Override
    public ByteBuffer parameterBytes() {
        return parameterBytes;
    }

    @Override
    public ByteBuffer gradientBytes() {
        return gradientBytes;
    }

    @Override
    public int trainingSamples() {
        return SAMPLES;
    }

    @Override
    public void initialise(long seed) {
        for (int i = 0; i < floats; i++) {
            parameters.put(i, i % values);
        }
    }

    /** The number of updates that all parameters agree on, or −1000 if they do not agree. */
    private double updates() {
        float updates = parameters.get(0);
        for (int i = 1; i < floats; i++) {
            if (parameters.get(i) - i % values != updates) {
                return -1000;
            }
        }
        return updates;
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        double loss = updates();
        progress.lossKnown(loss);
        progress.parametersRead();
        for (int piece = PIECES - 1; piece >= 0; piece--) {
            if (stepMicros > 0) {
                LockSupport.parkNanos(stepMicros * 1000 / PIECES);
            }
            progress.gradientFrom((int) ((long) floats * piece / PIECES));
        }
        return loss;
    }

    @Override
    public Optional<Evaluation> evaluate() {
        return Optional.of(new Evaluation(updates(), 1, 1));
    }

    @Override
    public void close() {}
}
