package io.optimus.yarn.round;

import io.optimus.yarn.round.RoundTimer.Call;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs rounds until it is closed; whatever they throw is logged, and the next one comes all the same. */
final class RoundThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoundThread.class);

    private final RoundTimer wakeup;
    private final RoundTimer.Times times;
    private final RoundTimer.Clock clock;
    private final Round round;
    private final Runnable onFailure;
    private final Thread thread = new Thread(this::loop, "optimus-round");
    private volatile boolean closed;

    RoundThread(RoundTimer wakeup, RoundTimer.Times times, RoundTimer.Clock clock, Round round, Runnable onFailure) {
        this.wakeup = wakeup;
        this.times = times;
        this.clock = clock;
        this.round = round;
        this.onFailure = onFailure;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void loop() {
        try {
            // Not the interrupt alone: YARN's dispatcher swallows it.
            while (!closed && !Thread.currentThread().isInterrupted()) {
                step(wakeup.await(clock, times));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void step(Call call) throws InterruptedException {
        try {
            if (call instanceof Call.WholeRound whole) {
                round.run(whole.reasons());
            } else {
                for (RoundTrigger reason : round.lookAfter()) {
                    wakeup.signal(reason);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            // Classes of another Hadoop than this was built for may lack something: that must not end the thread.
            onFailure.run();
            LOG.warn("round step failed, the last plan stays step={}", call, e);
        }
    }

    /** Ends the thread, and waits for it for a while. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
