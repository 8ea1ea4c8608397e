package io.optimus.yarn.whatif;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.belief.Outlook;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Foresees, again and again, how resizes will move the ends of jobs: most jobs grow when others end, and shrink when others come. It
 * forecasts the cluster as for a what-if question in which nothing changes, on a thread of its own, and takes no more than the part
 * of a core that is set for it.
 */
public final class Foresight implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Foresight.class);
    private static final long JOIN_MILLIS = 5_000;
    private static final double PERCENT = 100;
    private static final long SHORTEST_PAUSE_MILLIS = 2_000;

    private final WhatIfs.Surroundings surroundings;
    private final Thread thread = new Thread(this::repeat, "optimus-foresight");

    /** Does nothing before {@link #start}. */
    public Foresight(WhatIfs.Surroundings surroundings) {
        this.surroundings = surroundings;
        thread.setDaemon(true);
    }

    /** Begins to foresee. */
    public void start() {
        thread.start();
    }

    private void repeat() {
        boolean failed = false;
        try {
            while (!Thread.currentThread().isInterrupted()) {
                OptimusConfiguration settings = surroundings.settings().get();
                long began = System.nanoTime();
                try {
                    surroundings.state().beliefs().foresee(isPossible(settings) ? outlooks(settings) : Map.of());
                    failed = false;
                } catch (InterruptedComputationException e) {
                    return;
                } catch (RuntimeException e) {
                    if (!failed) {
                        LOG.warn("forecast of the ends failed, they are predicted on present tasks", e);
                    }
                    failed = true;
                    surroundings.state().beliefs().foresee(Map.of());
                }
                long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                Thread.sleep(pauseMillis(settings, took));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Plans that nobody carries out move no ends. */
    private boolean isPossible(OptimusConfiguration settings) {
        return settings.service().foresightPercent() > 0
                && settings.mode() == SchedulerMode.ENFORCE
                && !surroundings.state().orders().inForce().paused();
    }

    private Map<ApplicationId, Outlook> outlooks(OptimusConfiguration settings) {
        return new Inquiry(surroundings, TimeLeft.of(settings.service().whatIfMillis())).outlooks();
    }

    /** The longer, the longer the forecast took. */
    private static long pauseMillis(OptimusConfiguration settings, long tookMillis) {
        int percent = Math.max(1, settings.service().foresightPercent());
        return Math.max(SHORTEST_PAUSE_MILLIS, (long) (tookMillis * (PERCENT / percent - 1)));
    }

    /** Ends the thread. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
