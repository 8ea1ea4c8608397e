package io.optimus.yarn.jobs;

import io.optimus.yarn.validation.Resize;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The resizes that a job carried out, each with what the plan that asked for it said; the last ones of both are kept.
 *
 * <p>Not safe for several threads.
 */
final class JobResizes {
    private final int most;
    private final Map<Long, PlanNote> notes = new LinkedHashMap<>();
    private final Deque<Resize> last = new ArrayDeque<>();
    private int done;

    /** What a plan said of the job. */
    private record PlanNote(boolean exploring, String reason) {
        static final PlanNote UNKNOWN = new PlanNote(false, "");
    }

    /** None yet; the last {@code most} are kept, and what as many plans said. */
    JobResizes(int most) {
        this.most = most;
    }

    /** A plan was published for the job. */
    void planned(long plan, boolean exploring, String reason) {
        notes.put(plan, new PlanNote(exploring, reason));
        if (notes.size() > most) {
            notes.remove(notes.keySet().iterator().next());
        }
    }

    /** Takes in what the job carried out; it does not know what the plan said. */
    void take(List<Resize> reported) {
        for (Resize resize : reported) {
            PlanNote note = notes.getOrDefault(resize.plan(), PlanNote.UNKNOWN);
            last.addLast(new Resize(
                    resize.from(), resize.to(), resize.pauseMillis(), resize.plan(), note.exploring(), note.reason()));
            done += resize.from().isNone() ? 0 : 1;
            if (last.size() > most) {
                last.removeFirst();
            }
        }
    }

    /** Those that are kept, oldest first. */
    List<Resize> last() {
        return List.copyOf(last);
    }

    /** How many there were, without the job's start. */
    int done() {
        return done;
    }
}
