package io.optimus.yarn.capacity;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Decides which containers of a training application that holds more than its plan are asked back, and which are taken
 * back: past a grace time the preemption contract, after a further time the end. Pure but for what it remembers of
 * earlier calls; not thread-safe, the round owns it.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class ShrinkEnforcer {
    private final long graceMillis;
    private final long contractMillis;

    /**
     * With these times.
     *
     * @param graceMillis from the first sight of a surplus to {@link ShrinkAction.AskBack}, 0 or more
     * @param contractMillis from there to {@link ShrinkAction.TakeBack}, 0 or more
     */
    public ShrinkEnforcer(long graceMillis, long contractMillis) {
        this.graceMillis = graceMillis;
        this.contractMillis = contractMillis;
    }

    /**
     * What to do now.
     *
     * @param nowMillis of a clock that never goes back
     * @param held what each training application holds; one that is not there has ended
     * @param ceilings published ceilings; an application without one is left alone
     */
    public List<ShrinkAction> advance(long nowMillis, Collection<Holding> held, Map<ApplicationId, Ceiling> ceilings) {
        throw new UnsupportedOperationException(
                nowMillis + " " + held + " " + ceilings + " " + graceMillis + " " + contractMillis);
    }
}
