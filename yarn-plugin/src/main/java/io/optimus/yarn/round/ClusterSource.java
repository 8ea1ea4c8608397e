package io.optimus.yarn.round;

import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.TrainingApplication;
import java.util.Collection;

/** Where a round gets its view of the cluster. */
@FunctionalInterface
public interface ClusterSource {
    /** What the cluster looks like now to {@code applications}. */
    ClusterView read(Collection<TrainingApplication> applications);
}
