package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.Await;
import io.optimus.yarn.round.RoundTimer.Due;
import io.optimus.yarn.round.RoundTimer.Step;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class RoundTimerTest {
    private static final RoundTimer.Times TIMES = new RoundTimer.Times(600_000, 150, 400, 100, 1);

    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private final RoundTimer timer = new RoundTimer(() -> true);

    @Test
    public void refreshesThePlanWhenCapacityIsReleasedButNotTwiceWithinTheGap() throws Exception {
        long before = ControlLoop.clock();
        assertThat(due()).extracting(Due::step).isEqualTo(Step.ROUND);
        for (int refresh = 1; refresh <= 3; refresh++) {
            timer.released();
            assertThat(due()).extracting(Due::step).isEqualTo(Step.REFRESH);
            assertThat(ControlLoop.clock()).isGreaterThanOrEqualTo(before + refresh * 100L);
        }
    }

    @Test
    public void refreshesThePlanAtRegularTimes() throws Exception {
        due();
        long before = ControlLoop.clock();

        assertThat(due()).extracting(Due::step).isEqualTo(Step.REFRESH);

        assertThat(ControlLoop.clock()).isGreaterThanOrEqualTo(before + 400);
    }

    @Test
    public void runsAnEarlyRoundAfterItsGap() throws Exception {
        long before = ControlLoop.clock();
        due();
        timer.signal(RoundTrigger.ARRIVAL);

        assertThat(due()).isEqualTo(new Due(Step.ROUND, Set.of(RoundTrigger.ARRIVAL)));

        assertThat(ControlLoop.clock()).isGreaterThanOrEqualTo(before + 150);
    }

    @Test
    public void isNotWokenByEventsOfNodesWhileThereAreNoJobs() throws Exception {
        AtomicBoolean hasJobs = new AtomicBoolean();
        RoundTimer idle = new RoundTimer(hasJobs::get);
        idle.await(ControlLoop::clock, () -> TIMES);
        idle.signal(RoundTrigger.NODES);

        assertThat(idle.await(ControlLoop::clock, () -> TIMES)).isEqualTo(new Due(Step.REFRESH, Set.of()));

        hasJobs.set(true);
        idle.signal(RoundTrigger.ARRIVAL);
        assertThat(idle.await(ControlLoop::clock, () -> TIMES))
                .isEqualTo(new Due(Step.ROUND, Set.of(RoundTrigger.ARRIVAL)));
    }

    @Test
    public void followsIntervalsThatChangeWhileItWaits() throws Exception {
        RoundTimer.Times never = new RoundTimer.Times(600_000, 600_000, 600_000, 600_000, 1);
        AtomicReference<RoundTimer.Times> times = new AtomicReference<>(never);
        timer.await(ControlLoop::clock, times::get);
        CompletableFuture<Step> next = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                next.complete(timer.await(ControlLoop::clock, times::get).step());
            } catch (InterruptedException e) {
                next.completeExceptionally(e);
            }
        });
        waiting.start();
        Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);

        times.set(TIMES);
        timer.signal(RoundTrigger.QUEUES);

        assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(Step.ROUND);
    }

    @Test
    public void stepsTakeNoMoreThanTheirShareOfTheTime() throws Exception {
        rests(new AtomicLong(1_000_000));
    }

    @Test
    public void stepsTakeNoMoreThanTheirShareByAClockThatBeganBelowZero() throws Exception {
        rests(new AtomicLong(-1_000_000));
    }

    private void rests(AtomicLong clock) throws Exception {
        RoundTimer.Times tenth = new RoundTimer.Times(600_000, 150, 400, 100, 0.1);
        timer.await(clock::get, () -> tenth);
        clock.addAndGet(200);
        timer.signal(RoundTrigger.ARRIVAL);
        CompletableFuture<Due> next = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                next.complete(timer.await(clock::get, () -> tenth));
            } catch (InterruptedException e) {
                next.completeExceptionally(e);
            }
        });
        waiting.start();
        Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);

        clock.addAndGet(1799);
        timer.signal(RoundTrigger.NODES);
        Await.until("it waits on", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        assertThat(next).as("1,800 ms after a step of 200 ms").isNotDone();

        clock.addAndGet(1);
        timer.signal(RoundTrigger.NODES);
        assertThat(next.get(20, TimeUnit.SECONDS))
                .isEqualTo(new Due(Step.ROUND, Set.of(RoundTrigger.ARRIVAL, RoundTrigger.NODES)));
    }

    private Due due() throws InterruptedException {
        return timer.await(ControlLoop::clock, () -> TIMES);
    }
}
