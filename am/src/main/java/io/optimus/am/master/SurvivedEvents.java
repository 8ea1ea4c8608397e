package io.optimus.am.master;

import io.optimus.am.master.page.Survived;
import io.optimus.am.master.page.Survived.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Collects what the job has survived. Belongs to the owner thread. */
final class SurvivedEvents {
    private static final int KEPT = 100;

    private final LongSupplier unixMillis;
    private final Deque<Event> last = new ArrayDeque<>();
    private long events;
    private long stepsRedone;
    private long stalledMillis;
    private long longestStallMillis;

    SurvivedEvents(LongSupplier unixMillis) {
        this.unixMillis = unixMillis;
    }

    /** Something happened that did not stop the workers, or whose stall is told later. */
    void add(String what) {
        add(what, OptionalLong.empty());
    }

    /** The workers step again after {@code millis}. */
    void stalled(String what, long millis) {
        stalledMillis += millis;
        longestStallMillis = Math.max(longestStallMillis, millis);
        add(what, OptionalLong.of(millis));
    }

    /** Training goes back to a checkpoint. */
    void steppedBack(long fromStep, long toStep) {
        stepsRedone += fromStep - toStep;
        add("goes on from the checkpoint before step " + toStep + ", and does " + (fromStep - toStep) + " steps again");
    }

    private void add(String what, OptionalLong stall) {
        events++;
        last.add(new Event(unixMillis.getAsLong(), what, stall));
        if (last.size() > KEPT) {
            last.remove();
        }
    }

    Survived view(long refusedCallers) {
        return new Survived(List.copyOf(last), events, stepsRedone, stalledMillis, longestStallMillis, refusedCallers);
    }
}
