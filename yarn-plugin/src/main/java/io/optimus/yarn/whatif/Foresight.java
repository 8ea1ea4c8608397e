package io.optimus.yarn.whatif;

import io.optimus.model.belief.Outlook;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.round.ControlLoop;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Foresees, again and again, how resizes will move the ends of jobs: most jobs grow when others end, and shrink when others that wait
 * start. It forecasts the cluster as for a what-if question without a change, on threads of its own, and takes on average no more
 * than the part of a core that is set for it.
 */
public final class Foresight implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Foresight.class);
    /** Between two forecasts, and between two looks at whether they still hold. */
    private static final long SHORTEST_PAUSE_MILLIS = 2_000;

    private static final long JOIN_MILLIS = 2_000;
    private static final double PERCENT = 100;
    /** As for a what-if question: a forecast looks at its time between two events only. */
    private static final int GIVEN_UP_AFTER_BUDGETS = 2;

    private final WhatIfs.Surroundings surroundings;
    private final Thread thread = new Thread(this::repeat, "optimus-foresight");
    private boolean closed;
    private boolean failed;

    /** Does nothing before {@link #start}. */
    public Foresight(WhatIfs.Surroundings surroundings) {
        this.surroundings = surroundings;
        thread.setDaemon(true);
        // YARN's own handler would end the ResourceManager.
        thread.setUncaughtExceptionHandler((ended, e) -> LOG.warn("no ends are foreseen any more", e));
    }

    /** Begins to foresee. */
    public void start() {
        thread.start();
    }

    private void repeat() {
        try {
            while (true) {
                long began = System.nanoTime();
                publish(isPossible() ? outlooks() : Map.of());
                pause(began, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            publish(Map.of());
        }
    }

    /** Plans that nobody makes or carries out move no ends. */
    private boolean isPossible() {
        OptimusConfiguration settings = surroundings.settings().get();
        ControlLoop.State state = surroundings.state();
        return settings.service().foresightPercent() > 0
                && settings.mode() == SchedulerMode.ENFORCE
                && !state.orders().inForce().paused()
                && state.orders().problem().isEmpty()
                && !state.plan().current().frozen();
    }

    /** A forecast that fails or takes too long foresees nothing. */
    private Map<ApplicationId, Outlook> outlooks() throws InterruptedException {
        long millis = surroundings.settings().get().service().whatIfMillis();
        FutureTask<Map<ApplicationId, Outlook>> forecast =
                new FutureTask<>(() -> new Inquiry(surroundings, TimeLeft.of(millis)).outlooks());
        Thread computes = new Thread(forecast, "optimus-forecast");
        computes.setDaemon(true);
        computes.start();
        try {
            Map<ApplicationId, Outlook> outlooks = forecast.get(GIVEN_UP_AFTER_BUDGETS * millis, TimeUnit.MILLISECONDS);
            failed = false;
            return outlooks;
        } catch (ExecutionException | TimeoutException e) {
            if (!failed) {
                LOG.warn("forecast of the ends failed, they are predicted on present tasks", e);
            }
            failed = true;
            return Map.of();
        } finally {
            // Without effect on one that has ended.
            computes.interrupt();
        }
    }

    /** The longer, the longer the forecast took. */
    private void pause(long beganNanos, long tookMillis) throws InterruptedException {
        long pausedMillis = 0;
        do {
            TimeUnit.MILLISECONDS.sleep(SHORTEST_PAUSE_MILLIS);
            if (!isPossible()) {
                publish(Map.of());
            }
            pausedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos) - tookMillis;
        } while (pausedMillis < tookMillis * (PERCENT / percent() - 1));
    }

    private int percent() {
        return Math.max(1, surroundings.settings().get().service().foresightPercent());
    }

    private synchronized void publish(Map<ApplicationId, Outlook> outlooks) {
        if (!closed) {
            surroundings.state().beliefs().foresee(outlooks);
        }
    }

    /** Ends the thread. Nothing is foreseen any more. */
    @Override
    public void close() {
        publish(Map.of());
        synchronized (this) {
            closed = true;
        }
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
