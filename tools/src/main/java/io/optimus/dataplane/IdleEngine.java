package io.optimus.dataplane;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** An engine of a model of a given size that computes nothing: its gradient stays as it is. Tells the time of each step. */
final class IdleEngine implements TrainingEngine {
    private static final int SAMPLES = 64;
    private static final float GRADIENT = 1e-6f;

    private final ByteBuffer parameters;
    private final ByteBuffer gradient;

    IdleEngine(int floats) {
        parameters = TrainingEngine.vector(floats);
        gradient = TrainingEngine.vector(floats);
        for (int i = 0; i < floats; i++) {
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
    public double step(StepPart part) {
        ExchangeTimes.tell();
        return 1;
    }

    @Override
    public Optional<Evaluation> evaluate() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
