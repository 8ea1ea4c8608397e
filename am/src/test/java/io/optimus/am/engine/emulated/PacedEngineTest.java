package io.optimus.am.engine.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class PacedEngineTest {
    private static final Allocation ONE_AND_TWO = new Allocation(1, 2);
    /** A speed function of 100 ms a step on every allocation. */
    private static final SpeedFunction TENTH = new SynchronousSpeed(64, 0, 0.1, 0, 0, 0);

    private final HandClock clock = new HandClock();
    private final SteppingEngine stepping = new SteppingEngine();

    @Test
    public void stepsStartAtTheSpeedFunctionsPace() {
        PacedEngine engine = paced(TENTH, TrainingMode.SYNCHRONOUS);
        engine.runsOn(ONE_AND_TWO);
        steps(engine, 4);
        assertThat(stepping.startMillis).containsExactly(0L, 100L, 200L, 300L);
        assertThat(engine.lateSteps()).isZero();
        assertThat(engine.paced()).isTrue();
    }

    @Test
    public void paceIsThatOfTheCurrentAllocation() {
        // 64 samples of 1 ms are shared by w workers.
        PacedEngine engine = paced(new SynchronousSpeed(64, 0.001, 0, 0, 0, 0), TrainingMode.SYNCHRONOUS);
        stepping.millis = 10;
        engine.runsOn(new Allocation(1, 1));
        steps(engine, 2);
        engine.runsOn(new Allocation(1, 4));
        steps(engine, 3);
        // The 10 ms of the second step had passed when the job was resized; from then on a step takes 16 ms.
        assertThat(stepping.startMillis).containsExactly(0L, 64L, 74L, 90L, 106L);
    }

    @Test
    public void asynchronousWorkersShareTheJobsUpdates() {
        // f = w / (0.05·w) is 20 updates/s for every w, so each of 4 workers takes 200 ms.
        PacedEngine engine = paced(new AsynchronousSpeed(0, 0, 0.05, 0), TrainingMode.ASYNCHRONOUS);
        engine.runsOn(new Allocation(1, 4));
        steps(engine, 3);
        assertThat(stepping.startMillis).containsExactly(0L, 200L, 400L);
    }

    @Test
    public void shortDelayIsMadeUpForAndCounted() {
        PacedEngine engine = paced(TENTH, TrainingMode.SYNCHRONOUS);
        engine.runsOn(ONE_AND_TWO);
        stepping.millis = 130;
        steps(engine, 1);
        stepping.millis = 10;
        steps(engine, 3);
        assertThat(stepping.startMillis).containsExactly(0L, 130L, 200L, 300L);
        assertThat(engine.lateSteps()).isEqualTo(1);
    }

    @Test
    public void slowMachineIsLateAtEveryStepAndNeverCatchesUpInABurst() {
        PacedEngine engine = paced(TENTH, TrainingMode.SYNCHRONOUS);
        engine.runsOn(ONE_AND_TWO);
        stepping.millis = 250;
        steps(engine, 5);
        assertThat(engine.lateSteps()).isEqualTo(4);
        stepping.millis = 10;
        stepping.startMillis.clear();
        steps(engine, 4);
        assertThat(stepping.startMillis).containsExactly(1250L, 1260L, 1350L, 1450L);
    }

    @Test
    public void pauseOfAResizeIsNotLate() {
        PacedEngine engine = paced(TENTH, TrainingMode.SYNCHRONOUS);
        engine.runsOn(ONE_AND_TWO);
        steps(engine, 2);
        clock.advanceMillis(900);
        engine.runsOn(new Allocation(1, 3));
        steps(engine, 2);
        assertThat(engine.lateSteps()).isZero();
        assertThat(stepping.startMillis).containsExactly(0L, 100L, 1040L, 1140L);
    }

    @Test
    public void refusesWhatHasNoSpeed() {
        PacedEngine engine = paced(new SynchronousSpeed(64, 0, 0, 1, 0, 0), TrainingMode.SYNCHRONOUS);
        assertThatThrownBy(() -> engine.step(StepPart.of(0))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> engine.runsOn(new Allocation(0, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 workers");
        assertThatThrownBy(() -> engine.runsOn(new Allocation(2, 0))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void gradientIsTheWrappedEngines() {
        TrainingEngine plain = new PlainPerceptron(SampleSets.digits(), List.of(8));
        TrainingEngine wrapped = new PlainPerceptron(SampleSets.digits(), List.of(8));
        PacedEngine engine = new PacedEngine(wrapped, TENTH, TrainingMode.SYNCHRONOUS, clock);
        engine.runsOn(ONE_AND_TWO);
        plain.initialise(5);
        engine.initialise(5);
        assertThat(engine.step(StepPart.of(1, 2))).isEqualTo(plain.step(StepPart.of(1, 2)));
        assertThat(engine.gradient()).isEqualTo(plain.gradient());
        assertThat(engine.blocks()).isEqualTo(plain.blocks());
        assertThat(engine.evaluate()).isEqualTo(plain.evaluate());
    }

    @Test
    public void machinesClockWaits() {
        long start = System.nanoTime();
        PacingClock.SYSTEM.sleepUntil(start + TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }

    @Test(timeout = 10_000)
    public void interruptEndsTheWait() {
        Thread.currentThread().interrupt();
        PacingClock.SYSTEM.sleepUntil(System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        assertThat(Thread.interrupted()).isTrue();
    }

    private long ownMillis(TrainingEngine engine) {
        return TimeUnit.NANOSECONDS.toMillis(engine.clock().orElseThrow().steppingNanos());
    }

    @Test
    public void waitingForTheStartOfAStepIsNoComputing() {
        PacedEngine engine = paced(size -> 10, TrainingMode.SYNCHRONOUS);
        engine.runsOn(new Allocation(1, 1));

        steps(engine, 3);

        assertThat(ownMillis(engine)).isEqualTo(3 * stepping.millis);
    }

    @Test
    public void standingStillWhileItWaitsIsItsOwnTime() {
        PacedEngine engine = paced(size -> 10, TrainingMode.SYNCHRONOUS);
        engine.runsOn(new Allocation(1, 1));
        steps(engine, 1);
        clock.oversleepsMillis = 300;

        steps(engine, 1);

        assertThat(ownMillis(engine)).isEqualTo(2 * stepping.millis + 300);
    }

    private PacedEngine paced(SpeedFunction speed, TrainingMode mode) {
        return new PacedEngine(stepping, speed, mode, clock);
    }

    private static void steps(TrainingEngine engine, int count) {
        for (int i = 0; i < count; i++) {
            engine.step(StepPart.of(0));
        }
    }

    /** A clock that moves only when the test sets it or a thread sleeps. */
    private static final class HandClock implements PacingClock {
        private long now = -12_345;
        private long oversleepsMillis;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void sleepUntil(long nanoTime) {
            now = Math.max(now, nanoTime);
            advanceMillis(oversleepsMillis);
        }

        void advanceMillis(long millis) {
            now += TimeUnit.MILLISECONDS.toNanos(millis);
        }

        long millis() {
            return TimeUnit.NANOSECONDS.toMillis(now + 12_345);
        }
    }

    /** An engine that records when it steps, and takes a given time for each step. */
    private final class SteppingEngine implements TrainingEngine {
        private final List<Long> startMillis = new ArrayList<>();
        private long millis = 40;

        @Override
        public double step(StepPart part, StepProgress progress) {
            startMillis.add(clock.millis());
            clock.advanceMillis(millis);
            return 1;
        }

        @Override
        public List<ParameterBlock> blocks() {
            return List.of();
        }

        @Override
        public ByteBuffer parameterBytes() {
            return TrainingEngine.vector(0);
        }

        @Override
        public ByteBuffer gradientBytes() {
            return TrainingEngine.vector(0);
        }

        @Override
        public int trainingSamples() {
            return 1;
        }

        @Override
        public void initialise(long seed) {}

        @Override
        public Optional<Evaluation> evaluate() {
            return Optional.of(new Evaluation(1, 0, 1));
        }

        @Override
        public void close() {}
    }
}
