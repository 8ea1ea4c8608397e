package io.optimus.am.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.Updates;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class SaveQueueTest {
    private static final MembershipNumber NUMBER = new MembershipNumber(1, 1);

    @Rule
    public final Timeout timeout = Timeout.seconds(20);

    private final Shard shard = new Shard(new Ranges(List.of(new Range(0, 2))), Updates.NONE);
    private final List<Long> saved = new CopyOnWriteArrayList<>();

    @Test
    public void keepsOneCopyWaitingHoweverSlowItSaves() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (SaveQueue queue = new SaveQueue(
                copy -> {
                    begun.countDown();
                    await(goOn);
                    saved.add(copy.step());
                },
                (copy, cause) -> {})) {
            queue.save(shard, NUMBER, 1);
            assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(queue.isBusy()).isTrue();
            for (long step = 2; step <= 9; step++) {
                queue.save(shard, NUMBER, step);
            }
            goOn.countDown();
            queue.finish();
            assertThat(saved).as("under way, and the last").containsExactly(1L, 9L);
            assertThat(queue.isBusy()).isFalse();
        }
    }

    @Test
    public void saysWhatIsNotSavedAndGoesOn() {
        List<String> failures = new CopyOnWriteArrayList<>();
        try (SaveQueue queue = new SaveQueue(
                copy -> {
                    if (copy.step() == 1) {
                        throw new IOException("disk full");
                    }
                    saved.add(copy.step());
                },
                (copy, cause) -> failures.add(copy.step() + ": " + cause.getMessage()))) {
            queue.save(shard, NUMBER, 1);
            while (queue.isBusy()) {
                Thread.onSpinWait();
            }
            queue.save(shard, NUMBER, 2);
            queue.finish();
        }
        assertThat(failures).containsExactly("1: disk full");
        assertThat(saved).containsExactly(2L);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
