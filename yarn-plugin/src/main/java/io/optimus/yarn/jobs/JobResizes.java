package io.optimus.yarn.jobs;

import io.optimus.yarn.validation.ReportedResize;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last resizes that a job carried out, each with the reason of its plan.
 *
 * <p>Not thread-safe.
 */
final class JobResizes {
    private final int most;
    private final Map<Long, PlanNote> notes = new LinkedHashMap<>();
    private final Deque<ReportedResize> last = new ArrayDeque<>();
    private int done;

    private record PlanNote(boolean exploring, String reason) {
        static final PlanNote UNKNOWN = new PlanNote(false, "");
    }

    /** Keeps the last {@code most} resizes, and the reasons of as many plans. */
    JobResizes(int most) {
        this.most = most;
    }

    /** Notes the reason of a plan that was published for the job. */
    void planned(long plan, boolean exploring, String reason) {
        notes.put(plan, new PlanNote(exploring, reason));
        if (notes.size() > most) {
            notes.remove(notes.keySet().iterator().next());
        }
    }

    /** Takes in resizes that the job carried out, and adds the reasons of their plans. */
    void take(List<ReportedResize> reported) {
        for (ReportedResize resize : reported) {
            PlanNote note = notes.getOrDefault(resize.plan(), PlanNote.UNKNOWN);
            last.addLast(new ReportedResize(
                    resize.from(), resize.to(), resize.pauseMillis(), resize.plan(), note.exploring(), note.reason()));
            done += resize.from().isNone() ? 0 : 1;
            if (last.size() > most) {
                last.removeFirst();
            }
        }
    }

    List<ReportedResize> last() {
        return List.copyOf(last);
    }

    /** The number of all resizes, without the job's start. */
    int done() {
        return done;
    }
}
