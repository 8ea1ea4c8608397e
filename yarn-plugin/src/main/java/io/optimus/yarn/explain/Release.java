package io.optimus.yarn.explain;

import io.optimus.model.belief.RemainingTime;
import io.optimus.model.cluster.Resources;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The predicted end of a job, which frees what it holds.
 *
 * @param job the job that ends
 * @param frees what it holds
 * @param time until then
 */
public record Release(ApplicationId job, Resources frees, RemainingTime time) {
    /** The predicted seconds; the most plausible moment of a range is unknown, so its shortest time counts there. */
    public double seconds() {
        return time.seconds().orElse(time.fewestSeconds());
    }
}
