package io.optimus.am.master.plan;

import static io.optimus.am.wire.TaskId.server;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.coordinator.CoordinatorStatus.State;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.master.plan.Stragglers.Straggler;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.Test;

public final class StragglersTest {
    private static final int BATCH = 8;
    private static final double EXCHANGE_SECONDS = 0.001;

    private final SortedMap<TaskId, StepTotals> totals = new TreeMap<>();
    private long nowMillis = 1_000_000;
    private final Stragglers stragglers = new Stragglers(Duration.ofSeconds(30), () -> nowMillis);
    private TrainingMode mode = TrainingMode.SYNCHRONOUS;
    private State state = State.STEPPING;

    /** Ten seconds pass, in which each worker does ten steps that take it so many seconds each. */
    private Optional<Straggler> window(Map<TaskId, Double> secondsOfStep) {
        return window(secondsOfStep, 10, Map.of());
    }

    private Optional<Straggler> window(Map<TaskId, Double> secondsOfStep, int steps, Map<TaskId, Integer> samples) {
        secondsOfStep.forEach((task, seconds) -> {
            StepTotals before = totals.getOrDefault(task, StepTotals.NONE);
            totals.put(
                    task,
                    new StepTotals(
                            before.steps() + steps,
                            before.samples() + (long) steps * samples.getOrDefault(task, BATCH),
                            before.ownSeconds() + steps * seconds,
                            before.seconds() + steps * (seconds + EXCHANGE_SECONDS)));
        });
        nowMillis += 10_000;
        return stragglers.observe(status(), mode);
    }

    private CoordinatorStatus status() {
        SortedMap<TaskId, TaskStatus> tasks = new TreeMap<>();
        totals.forEach((task, done) -> tasks.put(task, new TaskStatus(true, 1, done)));
        tasks.put(server(0), new TaskStatus(true, 1, StepTotals.NONE));
        return new CoordinatorStatus(
                state, Progress.before(0), Optional.empty(), new MembershipNumber(1, 1), Allocation.NONE, tasks);
    }

    private void begin(int workers) {
        for (int i = 0; i < workers; i++) {
            totals.put(worker(i), StepTotals.NONE);
        }
        assertThat(stragglers.observe(status(), mode)).isEmpty();
    }

    private static Map<TaskId, Double> slow(double seconds) {
        return Map.of(worker(0), 0.2, worker(1), 0.2, worker(2), seconds);
    }

    @Test
    public void findsAWorkerThatIsSlowInThreeWindowsInARow() {
        begin(3);

        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.5)).map(Straggler::task)).contains(worker(2));
    }

    @Test
    public void tellsByWhatFactorItIsSlower() {
        begin(3);
        window(slow(0.5));
        window(slow(0.5));

        double slowness = window(slow(0.5)).map(Straggler::slowness).orElseThrow();

        assertThat(slowness).isBetween(2.49, 2.51);
    }

    @Test
    public void aWorkerThatWasFastOnceIsNone() {
        begin(3);

        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.2))).isEmpty();
        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.5))).isEmpty();
    }

    @Test
    public void onlyWhereWorkersWaitForEachOtherHalfAsMuchTimeAgainIsSlow() {
        begin(3);
        window(slow(0.35));
        window(slow(0.35));
        assertThat(window(slow(0.35))).isPresent();
    }

    @Test
    public void anAsynchronousWorkerIsSlowBelowHalfTheMedianSpeed() {
        mode = TrainingMode.ASYNCHRONOUS;
        begin(3);
        for (int i = 0; i < 5; i++) {
            assertThat(window(slow(0.35))).isEmpty();
        }
        window(slow(0.45));
        window(slow(0.45));
        assertThat(window(slow(0.45))).isPresent();
    }

    @Test
    public void aWindowLastsUntilEveryWorkerHasStepped() {
        mode = TrainingMode.ASYNCHRONOUS;
        begin(3);
        for (int i = 0; i < 5; i++) {
            assertThat(window(Map.of(worker(0), 0.2, worker(1), 0.2))).isEmpty();
        }
    }

    @Test
    public void aWorkerWithTwiceTheSamplesIsNotSlow() {
        begin(3);
        for (int i = 0; i < 5; i++) {
            assertThat(window(slow(0.4), 10, Map.of(worker(0), 1, worker(1), 1, worker(2), 2)))
                    .isEmpty();
        }
    }

    @Test
    public void aWorkerWhoseTimeMakesNoDifferenceIsNotSlow() {
        begin(3);
        for (int i = 0; i < 5; i++) {
            assertThat(window(Map.of(worker(0), 0.0001, worker(1), 0.0001, worker(2), 0.0003)))
                    .isEmpty();
        }
    }

    @Test
    public void aJobOfOneWorkerHasNone() {
        begin(1);
        for (int i = 0; i < 5; i++) {
            assertThat(window(Map.of(worker(0), 5.0))).isEmpty();
        }
    }

    @Test
    public void beginsAnewWhenAWorkerCame() {
        begin(3);
        window(slow(0.5));
        window(slow(0.5));
        totals.put(worker(3), StepTotals.NONE);

        assertThat(window(slow(0.5))).isEmpty();
        totals.replaceAll((task, done) -> done.with(BATCH, 200_000_000, 200_000_000));
        assertThat(window(slow(0.5))).isEmpty();
    }

    @Test
    public void beginsAnewWhileTheMembershipChanges() {
        begin(3);
        window(slow(0.5));
        window(slow(0.5));
        state = State.SWITCHING;
        assertThat(window(slow(0.5))).isEmpty();
        state = State.STEPPING;

        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.5))).isEmpty();
        assertThat(window(slow(0.5))).isPresent();
    }

    @Test
    public void waitsTwiceAsLongAfterEachStraggler() {
        begin(3);
        int found = 0;
        int windows = 0;
        int[] foundAfter = new int[3];
        while (found < foundAfter.length) {
            windows++;
            if (window(slow(0.5)).isPresent()) {
                foundAfter[found++] = windows;
            }
        }

        assertThat(foundAfter).containsExactly(3, 3 + 6, 3 + 6 + 12);
    }
}
