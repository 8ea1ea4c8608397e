package io.optimus.yarn.jobs;

import io.optimus.yarn.validation.ReportedResize;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last resizes that a job carried out, each with the reason of its plan.
 *
 * <p>Not thread-safe.
 */
final class JobResizes {
    private final int most;
    private final Map<Long, JobTimeline.Decision> decisions = new LinkedHashMap<>();
    private final Deque<ReportedResize> last = new ArrayDeque<>();
    /** The last resizes that were not counted yet. */
    private final Deque<ReportedResize> uncounted = new ArrayDeque<>();

    private int done;
    private int counted;

    /** Keeps the last {@code most} resizes, and the reasons of as many plans. */
    JobResizes(int most) {
        this.most = most;
    }

    /** Notes what a plan that was published for the job decides. */
    void planned(JobTimeline.Decision decision) {
        decisions.put(decision.plan(), decision);
        if (decisions.size() > most) {
            decisions.remove(decisions.keySet().iterator().next());
        }
    }

    /** What the last plans decided, oldest first. */
    List<JobTimeline.Decision> decisions() {
        return List.copyOf(decisions.values());
    }

    /** Takes in resizes that the job carried out, and adds the reasons of their plans. */
    void take(List<ReportedResize> reported) {
        for (ReportedResize resize : reported) {
            Optional<JobTimeline.Decision> decision = Optional.ofNullable(decisions.get(resize.plan()));
            last.addLast(new ReportedResize(
                    resize.from(),
                    resize.to(),
                    resize.pauseMillis(),
                    resize.plan(),
                    decision.map(JobTimeline.Decision::exploring).orElse(false),
                    decision.map(JobTimeline.Decision::reason).orElse("")));
            keepLast(last);
            if (!resize.from().isNone() && done < Integer.MAX_VALUE) {
                done++;
                uncounted.addLast(resize);
                keepLast(uncounted);
            }
        }
    }

    private void keepLast(Deque<ReportedResize> resizes) {
        if (resizes.size() > most) {
            resizes.removeFirst();
        }
    }

    /**
     * Returns reported resizes, each once and the oldest first. The job's start is none.
     *
     * @param possible how many resizes there can have been in all; no more are ever returned
     */
    List<ReportedResize> count(int possible) {
        List<ReportedResize> now = new ArrayList<>();
        while (counted < possible && !uncounted.isEmpty()) {
            now.add(uncounted.removeFirst());
            counted++;
        }
        return now;
    }

    List<ReportedResize> last() {
        return List.copyOf(last);
    }

    /** The number of all resizes, without the job's start. */
    int done() {
        return done;
    }
}
