package io.optimus.am.engine;

import java.nio.FloatBuffer;
import java.util.Random;

/** A training loop in one process, which does the work of a worker and a parameter server in the simplest way. */
public final class LocalTraining {
    private static final float MOMENTUM = 0.9f;

    private final TrainingEngine engine;
    private final float learningRate;
    private final float[] velocity;
    private final Random random = new Random(7);

    /** Starts with the initial parameters of seed 1. */
    public LocalTraining(TrainingEngine engine, double learningRate) {
        this.engine = engine;
        this.learningRate = (float) learningRate;
        this.velocity = new float[engine.parameters().capacity()];
        engine.initialise(1);
    }

    /** Takes {@code steps} steps on random batches; returns the last loss. */
    public double run(int steps, int batch) {
        double loss = Double.NaN;
        int[] samples = new int[batch];
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < batch; i++) {
                samples[i] = random.nextInt(engine.trainingSamples());
            }
            loss = engine.step(StepPart.of(samples));
            apply();
        }
        return loss;
    }

    private void apply() {
        FloatBuffer parameters = engine.parameters();
        FloatBuffer gradient = engine.gradient();
        int at = 0;
        for (ParameterBlock block : engine.blocks()) {
            for (int end = at + block.floats(); at < end; at++) {
                if (block.trainable()) {
                    velocity[at] = MOMENTUM * velocity[at] + gradient.get(at);
                    parameters.put(at, parameters.get(at) - learningRate * velocity[at]);
                } else {
                    parameters.put(at, gradient.get(at));
                }
            }
        }
    }
}
