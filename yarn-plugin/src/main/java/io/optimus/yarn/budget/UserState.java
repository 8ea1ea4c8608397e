package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.Optional;

/**
 * One user in one leaf queue and partition.
 *
 * @param name of the user
 * @param weight that the queue gives him, 0 or more; 1 where it says nothing
 * @param ordinaryUsed what his ordinary applications and all his ApplicationMasters hold
 * @param ordinaryPending what his ordinary applications ask for, reserved or not, and ApplicationMasters that wait for their
 *     containers
 * @param training what his training tasks could take at most; empty where he has no training applications here
 */
public record UserState(
        String name, double weight, Resources ordinaryUsed, Resources ordinaryPending, Optional<Resources> training) {
    /** Both together, of the same user. */
    public UserState plus(UserState other) {
        return new UserState(
                name,
                weight,
                ordinaryUsed.plus(other.ordinaryUsed),
                ordinaryPending.plus(other.ordinaryPending),
                training.map(own -> own.plus(other.training.orElse(Resources.NONE)))
                        .or(other::training));
    }

    /** What he could use at most, however much he may. */
    public Resources wanted() {
        return ordinaryUsed.plus(ordinaryPending).plus(training.orElse(Resources.NONE));
    }
}
