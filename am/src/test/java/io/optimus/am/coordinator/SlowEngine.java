package io.optimus.am.coordinator;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Slows another engine down: each step from a given one on takes longer. */
final class SlowEngine implements TrainingEngine {
    private final TrainingEngine engine;
    private final int fromStep;
    private final long micros;
    private int step;

    SlowEngine(TrainingEngine engine, long micros) {
        this(engine, 0, micros);
    }

    SlowEngine(TrainingEngine engine, int fromStep, long micros) {
        this.engine = engine;
        this.fromStep = fromStep;
        this.micros = micros;
    }

    @Override
    public double step(StepPart part) {
        if (step++ >= fromStep) {
            LockSupport.parkNanos(micros * 1000);
        }
        return engine.step(part);
    }

    @Override
    public List<ParameterBlock> blocks() {
        return engine.blocks();
    }

    @Override
    public FloatBuffer parameters() {
        return engine.parameters();
    }

    @Override
    public FloatBuffer gradient() {
        return engine.gradient();
    }

    @Override
    public int trainingSamples() {
        return engine.trainingSamples();
    }

    @Override
    public void initialise(long seed) {
        engine.initialise(seed);
    }

    @Override
    public Optional<Evaluation> evaluate() {
        return engine.evaluate();
    }

    @Override
    public void close() {
        engine.close();
    }
}
