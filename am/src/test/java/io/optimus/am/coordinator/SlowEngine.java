package io.optimus.am.coordinator;

import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.WrappedEngine;
import java.util.concurrent.locks.LockSupport;

/** Slows another engine down: each step from a given one on takes longer. */
final class SlowEngine extends WrappedEngine {
    private final int fromStep;
    private final long micros;
    private int step;

    SlowEngine(TrainingEngine engine, long micros) {
        this(engine, 0, micros);
    }

    SlowEngine(TrainingEngine engine, int fromStep, long micros) {
        super(engine);
        this.fromStep = fromStep;
        this.micros = micros;
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        if (step++ >= fromStep) {
            LockSupport.parkNanos(micros * 1000);
        }
        return super.step(part, progress);
    }
}
