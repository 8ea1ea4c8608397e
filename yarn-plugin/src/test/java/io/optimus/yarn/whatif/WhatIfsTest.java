package io.optimus.yarn.whatif;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.optimus.model.plan.Strategies;
import io.optimus.yarn.Await;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.read.ClusterReader;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTimer;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class WhatIfsTest {
    private static final Question QUESTION = new Question(
            Optional.empty(), Optional.of("drf"), new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), List.of());

    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger reading = new AtomicInteger();
    private final ControlLoop.State state =
            ControlLoop.State.of(Jobs.registry(GpuSpeeds.ALIKE), new RoundTimer(() -> true), () -> 0);

    /** Questions to a scheduler that cannot be read before the latch is released. */
    private WhatIfs within(String budget) {
        Configuration yarn = new Configuration(false);
        yarn.set("yarn.scheduler.optimus.what-if-time-budget", budget);
        OptimusConfiguration settings = OptimusConfiguration.read(yarn);
        return new WhatIfs(new WhatIfs.Surroundings(
                state, () -> settings, this::reader, queue -> "", policy -> Strategies.named(policy)
                        .bySeed()
                        .apply(1)));
    }

    private ClusterReader reader() {
        reading.incrementAndGet();
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                // A computation that ignores that nobody waits for it any more.
            }
        }
        throw new IllegalStateException("unreadable");
    }

    @Test
    public void givesUpAfterAWhileAndAnswersOnlySoManyAtATime() {
        WhatIfs whatIfs = within("100ms");
        for (int question = 1; question <= 2; question++) {
            assertThatExceptionOfType(UnansweredException.class)
                    .isThrownBy(() -> whatIfs.ask(QUESTION))
                    .withMessageContaining("took longer than 200 ms")
                    .withMessageContaining("what-if-time-budget");
        }
        assertThatExceptionOfType(UnansweredException.class)
                .isThrownBy(whatIfs::capacity)
                .withMessageContaining("As many what-if questions as allowed, 2")
                .withMessageContaining("ask again later");

        released.countDown();
        Await.until("the computations ended", () -> {
            try {
                whatIfs.ask(QUESTION);
                return false;
            } catch (UnansweredException stillComputing) {
                return false;
            } catch (IllegalStateException computed) {
                return true;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }
}
