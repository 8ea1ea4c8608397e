package io.optimus.am.coordinator;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ParameterBlock.Kind;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.model.losses.AnnouncedBends;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Behaves as an owner's program: linear regression with two parameter groups, a running mean of the inputs as a statistic, a
 * learning rate that changes with each step, and a count of steps as state. Reports an accuracy of 0.01 per epoch. A
 * synchronous step whose state is not that of the step before it has the loss NaN, which fails the job.
 */
final class ScheduledEngine implements TrainingEngine {
    static final int SAMPLES = 100;
    /** What it announces in epoch 2. */
    static final AnnouncedBends BENDS = new AnnouncedBends(List.of(2.0));

    private static final int WEIGHTS = 5;
    private static final int BIAS = WEIGHTS;
    private static final int MEAN = BIAS + 1;
    private static final int STATE = MEAN + WEIGHTS;
    private static final int FLOATS = STATE + 2;

    private final ProgramSettings settings;
    private final boolean synchronous;
    private final long stepMicros;
    private final ByteBuffer parameterBytes = TrainingEngine.vector(FLOATS);
    private final ByteBuffer gradientBytes = TrainingEngine.vector(FLOATS);
    private final FloatBuffer parameters = TrainingEngine.floats(parameterBytes);
    private final FloatBuffer gradient = TrainingEngine.floats(gradientBytes);
    private Consumer<ProgramReport> receiver = report -> {};
    private float[] groupSettings = {};
    private long reported = -1;

    ScheduledEngine(ProgramSettings settings, boolean synchronous, long stepMicros) {
        this.settings = settings;
        this.synchronous = synchronous;
        this.stepMicros = stepMicros;
    }

    static ProgramSettings program(int batch, int epochs) {
        return new ProgramSettings(
                batch, epochs, new Optimizer.Adam(0.05, 0.9, 0.99, 1e-8, 0, true), 2, AnnouncedBends.NONE);
    }

    @Override
    public List<ParameterBlock> blocks() {
        return List.of(
                ParameterBlock.parameter("weights", WEIGHTS),
                new ParameterBlock("bias", List.of(1), Kind.PARAMETER, 1),
                ParameterBlock.statistic("mean", WEIGHTS),
                new ParameterBlock("state", List.of(2), Kind.STATE, 0));
    }

    @Override
    public Optional<ProgramSettings> programSettings() {
        return Optional.of(settings);
    }

    @Override
    public void reportTo(Consumer<ProgramReport> to) {
        receiver = to;
    }

    @Override
    public float[] groupSettings() {
        return groupSettings;
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
        for (int i = 0; i < FLOATS; i++) {
            parameters.put(i, 0);
        }
    }

    private static double input(int sample, int i) {
        return 1 + Math.sin(1 + sample * (i + 1.7));
    }

    private static double target(int sample) {
        double sum = 0.5;
        for (int i = 0; i < WEIGHTS; i++) {
            sum += (i - 1.5) * input(sample, i);
        }
        return sum;
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        if (stepMicros > 0) {
            LockSupport.parkNanos(stepMicros * 1000);
        }
        long epoch = part.from() / SAMPLES;
        if (epoch > reported) {
            reported = epoch;
            receiver.accept(new ProgramReport(part.step(), (int) epoch, Map.of("accuracy", epoch / 100.0)));
            if (epoch == 2) {
                receiver.accept(new ProgramReport(part.step(), (int) epoch, Map.of(), BENDS.epochs()));
            }
        }
        long steps = (long) parameters.get(STATE) + 256L * (long) parameters.get(STATE + 1);
        for (int i = 0; i < STATE; i++) {
            gradient.put(i, 0);
        }
        double loss = 0;
        for (int sample : part.samples()) {
            loss += sample(sample, part.count());
        }
        for (int i = 0; i < WEIGHTS; i++) {
            gradient.put(MEAN + i, 0.9f * parameters.get(MEAN + i) + gradient.get(MEAN + i));
        }
        gradient.put(STATE, (float) ((steps + 1) % 256));
        gradient.put(STATE + 1, (float) Math.floorDiv(steps + 1, 256L));
        float rate = (float) (steps < 10 ? 0.005 * steps : 0.05 * Math.pow(0.995, (double) steps));
        groupSettings = new float[] {rate, 0.01f, 2 * rate, 0};
        return synchronous && steps != part.step() ? Double.NaN : loss;
    }

    /** Adds the sample's gradient, and its part of the running mean; returns its part of the loss. */
    private double sample(int sample, int count) {
        double error = parameters.get(BIAS) - target(sample);
        for (int i = 0; i < WEIGHTS; i++) {
            error += parameters.get(i) * (input(sample, i) - parameters.get(MEAN + i));
        }
        for (int i = 0; i < WEIGHTS; i++) {
            add(i, error * (input(sample, i) - parameters.get(MEAN + i)) / count);
            add(MEAN + i, 0.1 * input(sample, i) / count);
        }
        add(BIAS, error / count);
        return error * error / 2 / count;
    }

    private void add(int at, double value) {
        gradient.put(at, gradient.get(at) + (float) value);
    }

    @Override
    public Optional<Evaluation> evaluate() {
        receiver.accept(new ProgramReport(0, settings.epochs() - 1, Map.of("accuracy", 1.0)));
        return Optional.empty();
    }

    @Override
    public void close() {}
}
