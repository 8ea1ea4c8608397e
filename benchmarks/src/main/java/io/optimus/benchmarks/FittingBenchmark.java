package io.optimus.benchmarks;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures step 3 of a round for one job with a new report, and the prediction of the end for one without. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FittingBenchmark {
    private static final int EPOCHS = 200;
    private static final int STEPS_PER_EPOCH = 50;
    private static final int QUIET_EPOCHS = 10;
    private static final int SIZES = 10;

    private final LossHistory losses = losses();
    private final CurveFit curve = new LossCurveFitter().fit(losses);
    private final MeasuredSizes speeds = speeds();
    private final ConvergencePrediction known = prediction();
    private int step = (EPOCHS - 1) * STEPS_PER_EPOCH;
    private final SizeRange range = new SizeRange(new Allocation(1, 1), new Allocation(20, 20));

    /** Fits a loss curve to those of 10,000 reported points that a history keeps. */
    @Benchmark
    public CurveFit lossCurve(ProcessorTime time) {
        return time.of(() -> new LossCurveFitter().fit(losses));
    }

    /** Fits the same points by the method of Optimus's paper. */
    @Benchmark
    public CurveFit lossCurveOfThePaper(ProcessorTime time) {
        return time.of(() -> LossCurveFitter.ofThePaper().fit(losses));
    }

    /** Fits a speed function to ten sizes. */
    @Benchmark
    public SpeedFit speedFunction(ProcessorTime time) {
        return time.of(() -> new SpeedFitter(SpeedForm.of(TrainingMode.SYNCHRONOUS, 32)).fit(speeds, range));
    }

    /** Predicts the end from noisy epochs, without an earlier prediction that could be reused. */
    @Benchmark
    public RemainingSteps end(ProcessorTime time) {
        return time.of(() -> prediction().from(curve, losses.epochs(), step));
    }

    /** Predicts the end again at another step of the same epoch. */
    @Benchmark
    public RemainingSteps endAgain(ProcessorTime time) {
        step = (EPOCHS - 1) * STEPS_PER_EPOCH + (step + 1) % STEPS_PER_EPOCH;
        return time.of(() -> known.from(curve, losses.epochs(), step));
    }

    private static ConvergencePrediction prediction() {
        return new ConvergencePrediction(new StopRule.LossPlateau(1e-4, QUIET_EPOCHS), STEPS_PER_EPOCH);
    }

    private static LossHistory losses() {
        Random random = new Random(1);
        LossHistory history = new LossHistory(STEPS_PER_EPOCH);
        for (long step = 0; step < EPOCHS * STEPS_PER_EPOCH; step++) {
            double loss = 1 / (0.002 * step + 0.4) + 0.1;
            history.add(new LossPoint(step, loss * (1 + 0.02 * random.nextGaussian())));
        }
        return history;
    }

    private static MeasuredSizes speeds() {
        Random random = new Random(1);
        SpeedFunction truth = new SynchronousSpeed(32, .0039, .4178, .4213, .0074, 0);
        SortedMap<Allocation, Double> speeds = new TreeMap<>();
        while (speeds.size() < SIZES) {
            Allocation size = new Allocation(1 + random.nextInt(20), 1 + random.nextInt(20));
            speeds.put(size, truth.stepsPerSecond(size) * (1 + 0.02 * random.nextGaussian()));
        }
        return MeasuredSizes.of(speeds);
    }
}
