package io.optimus.dataplane;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;

/** An engine of a model of a given size that computes nothing: its gradient stays as it is. Tells the time of each step. */
final class IdleEngine implements TrainingEngine {
    private static final int SAMPLES = 64;
    private static final float GRADIENT = 1e-6f;

    private final FloatBuffer parameters;
    private final FloatBuffer gradient;

    IdleEngine(int floats) {
        parameters = direct(floats);
        gradient = direct(floats);
        for (int i = 0; i < floats; i++) {
            gradient.put(i, GRADIENT);
        }
    }

    private static FloatBuffer direct(int floats) {
        return ByteBuffer.allocateDirect(floats * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    @Override
    public List<ParameterBlock> blocks() {
        return List.of(ParameterBlock.parameter("weights", parameters.capacity()));
    }

    @Override
    public FloatBuffer parameters() {
        return parameters;
    }

    @Override
    public FloatBuffer gradient() {
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
