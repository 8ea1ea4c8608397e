package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.Await;
import io.optimus.am.wire.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class KeyedQueuesTest {
    /** More than a pool of fixed size has threads. */
    private static final int STUCK = 50;

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("test"));
    private final KeyedQueues<String> queues = new KeyedQueues<>(threads);
    private final List<String> done = new CopyOnWriteArrayList<>();

    @After
    public void stop() {
        threads.shutdownNow();
    }

    @Test
    public void whatIsStuckKeepsOnlyItsOwnKeyWaiting() throws InterruptedException {
        CountDownLatch answers = new CountDownLatch(1);
        for (int i = 0; i < STUCK; i++) {
            queues.execute("dark " + i / 2, () -> await(answers));
        }
        queues.execute("dark 0", () -> done.add("dark"));
        queues.execute("light", () -> done.add("light"));
        Await.until("the other key has run", () -> !done.isEmpty());
        assertThat(done).containsExactly("light");

        answers.countDown();
        Await.until("the stuck key has run", () -> done.size() == 2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    public void theWorkOfAKeyRunsInItsOrder() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String name = "work " + i;
            expected.add(name);
            queues.execute("key", () -> done.add(name));
        }
        Await.until("all has run", () -> done.size() == expected.size());
        assertThat(done).isEqualTo(expected);
    }

    @Test
    public void workAfterTheEndIsDropped() {
        threads.shutdownNow();
        queues.execute("key", () -> done.add("late"));
        assertThat(done).isEmpty();
    }
}
