package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What YARN itself saw of a job, against which the job's claims are checked: the tasks that it held, and when. Of an application
 * that is older than this scheduler only a part was seen, so that more of its history has to be believed.
 *
 * <p>Not thread-safe.
 */
final class Evidence {
    /**
     * How many reports with new steps are remembered. The last step before a pause may be done while a report is on its way, so
     * the next report tells of it, the one after that tells of the first step after the pause, and the one after that of the
     * resize.
     */
    private static final int ADVANCES = 4;

    private final boolean complete;
    private final LongSupplier clock;
    private final int mostPlans;
    private final Map<Long, Long> publishedMillis = new LinkedHashMap<>();
    private final long[] advancedMillis = new long[ADVANCES];
    private int advances;
    private long heardMillis;
    private final Deque<JobTimeline.Size> sizes = new ArrayDeque<>();
    private HeldTasks held = HeldTasks.NEVER;

    /**
     * Evidence of a job that begins now.
     *
     * @param complete whether the application is no older than this scheduler
     * @param clock the clock of the rounds, in milliseconds
     * @param mostPlans plans whose times are kept, and as many sizes that the job held
     */
    Evidence(boolean complete, LongSupplier clock, int mostPlans) {
        this.complete = complete;
        this.clock = clock;
        this.mostPlans = mostPlans;
        this.heardMillis = clock.getAsLong();
    }

    /** The job holds {@code tasks} at {@code nowMillis}. */
    void holds(Allocation tasks, long nowMillis) {
        if (!tasks.equals(held.now())) {
            sizes.addLast(new JobTimeline.Size(nowMillis, tasks));
            if (sizes.size() > mostPlans) {
                sizes.removeFirst();
            }
        }
        held = held.then(tasks, nowMillis);
    }

    /** The last sizes that the job held, oldest first. */
    List<JobTimeline.Size> sizes() {
        return List.copyOf(sizes);
    }

    HeldTasks held() {
        return held;
    }

    /** A plan was published for the job; returns when. */
    long planned(long plan) {
        long now = clock.getAsLong();
        Long before = publishedMillis.putIfAbsent(plan, now);
        if (publishedMillis.size() > mostPlans) {
            publishedMillis.remove(publishedMillis.keySet().iterator().next());
        }
        return before == null ? now : before;
    }

    /** A registration or a report came in. */
    void heard() {
        heardMillis = clock.getAsLong();
    }

    /** When the last one came in. */
    long heardMillis() {
        return heardMillis;
    }

    /** A report came in which the steps have advanced. */
    void advanced() {
        System.arraycopy(advancedMillis, 0, advancedMillis, 1, ADVANCES - 1);
        advancedMillis[0] = clock.getAsLong();
        advances = Math.min(ADVANCES, advances + 1);
    }

    /** The most tasks at a time that the job can have had until the last round. */
    int mostTasks() {
        return complete ? held.largest().tasks() : Integer.MAX_VALUE / 2;
    }

    /** Whether the job can have run on {@code size}. */
    boolean canHaveRun(Allocation size) {
        return !complete || size.isWithin(held.largest());
    }

    /**
     * Whether the job can have paused for so long in a resize that it reports now: after the plan was published that it names,
     * and without steps.
     */
    boolean canHavePaused(long pauseMillis, long plan) {
        long now = clock.getAsLong();
        long unknown = complete ? held.firstMillis() : Long.MIN_VALUE;
        long published = publishedMillis.getOrDefault(plan, unknown);
        long lastSteps = advances == ADVANCES ? advancedMillis[ADVANCES - 1] : Long.MIN_VALUE;
        long since = Math.max(published, lastSteps);
        return since == Long.MIN_VALUE || pauseMillis <= now - since;
    }

    /** How many of {@code reported} resizes can have been: each changes what the job holds. */
    int resizes(int reported) {
        return complete ? Math.min(reported, held.changes()) : reported;
    }
}
