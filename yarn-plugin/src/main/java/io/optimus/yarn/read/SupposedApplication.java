package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import java.util.List;
import java.util.TreeSet;

/**
 * A training application that nobody has submitted.
 *
 * @param application its tasks
 * @param user who would submit it
 * @param priority its priority in YARN
 * @param queue path of its leaf queue
 * @param master resources of its ApplicationMaster
 */
public record SupposedApplication(
        TrainingApplication application, String user, int priority, String queue, Resources master) {
    ApplicationUsage usage() {
        return new ApplicationUsage(application, user, Placement.NONE, List.of(), false, new TreeSet<>());
    }
}
