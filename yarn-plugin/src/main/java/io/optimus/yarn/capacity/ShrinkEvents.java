package io.optimus.yarn.capacity;

import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Carries shrink actions out, as events of the ResourceManager's dispatcher. */
@SuppressWarnings("DoNotCallSuggester")
public final class ShrinkEvents {
    private final CapacityScheduler scheduler;

    /** For containers of this scheduler. */
    public ShrinkEvents(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Sends one event an action; a container that has ended meanwhile, or is an ApplicationMaster's, is skipped. */
    public void carryOut(List<ShrinkAction> actions) {
        throw new UnsupportedOperationException(scheduler + " " + actions);
    }
}
