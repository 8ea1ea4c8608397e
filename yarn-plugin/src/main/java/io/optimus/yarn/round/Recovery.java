package io.optimus.yarn.round;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The time after a restart in which the plan stays as it was: until every training application that the ResourceManager
 * took over has registered again or ended, or the time is over.
 */
final class Recovery {
    private final Set<ApplicationId> awaited;
    private final long endsMillis;

    Recovery(Collection<ApplicationId> awaited, long endsMillis) {
        this.awaited = new TreeSet<>(awaited);
        this.endsMillis = endsMillis;
    }

    /**
     * Whether it goes on.
     *
     * @param registered jobs that are registered
     * @param running training applications that run
     */
    boolean goesOn(long nowMillis, Collection<ApplicationId> registered, Collection<ApplicationId> running) {
        awaited.removeAll(registered);
        awaited.retainAll(running);
        if (nowMillis >= endsMillis) {
            awaited.clear();
        }
        return !awaited.isEmpty();
    }

    /** Who has not registered again. */
    Set<ApplicationId> awaited() {
        return Set.copyOf(awaited);
    }
}
