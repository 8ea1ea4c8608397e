package io.optimus.am.master.plan;

import io.optimus.am.master.yarn.Containers;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Keeps the job off nodes where its tasks failed often, as long as it can afford to, and has YARN and the scheduler
 * know: the next plan places around them.
 *
 * <p>A job that has stayed below its minimum for a back-off while it avoided nodes uses them again: nothing else has
 * room for it then. Failures before that are forgiven to the nodes, not to the job, so that tasks that fail wherever
 * they run still end it.
 */
final class NodeAvoidance {
    private static final long NOT_WAITING = Long.MAX_VALUE;

    private final Containers containers;
    private final TaskFailures failures;
    private final long backOffMillis;
    private SortedSet<String> avoided = Collections.emptySortedSet();
    private long belowMinimumSince = NOT_WAITING;

    NodeAvoidance(Containers containers, TaskFailures failures, Duration backOff) {
        this.containers = containers;
        this.failures = failures;
        this.backOffMillis = backOff.toMillis();
    }

    /**
     * Looks at the failures anew.
     *
     * @param belowMinimum whether the job has fewer tasks than it can run with
     * @return whether other nodes are avoided now than before
     */
    boolean update(boolean belowMinimum, long nowMillis) {
        SortedSet<String> now = new TreeSet<>(failures.avoided(nowMillis));
        if (now.isEmpty() || !belowMinimum) {
            belowMinimumSince = NOT_WAITING;
        } else {
            belowMinimumSince = Math.min(belowMinimumSince, nowMillis);
            if (nowMillis - belowMinimumSince >= backOffMillis) {
                failures.forgiveNodes();
                now.clear();
            }
        }
        if (now.equals(avoided)) {
            return false;
        }
        avoided = Collections.unmodifiableSortedSet(now);
        containers.avoid(avoided);
        return true;
    }

    /** YARN's ids of the nodes where nothing is asked for. */
    SortedSet<String> nodes() {
        return avoided;
    }
}
