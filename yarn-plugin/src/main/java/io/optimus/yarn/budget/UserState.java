package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.Optional;

/**
 * One user in one leaf queue and partition.
 *
 * @param name of the user
 * @param weight weight of the user in the queue, 0 or more; 1 by default
 * @param ordinaryUsed what the ordinary applications and all ApplicationMasters of the user hold
 * @param ordinaryPending what ordinary applications of the user request, reserved or not, and ApplicationMasters that wait
 *     for their containers
 * @param training what training tasks of the user could take at most; empty without training applications here
 */
public record UserState(
        String name, double weight, Resources ordinaryUsed, Resources ordinaryPending, Optional<Resources> training) {
    /** The sum of both, which are of the same user. */
    public UserState plus(UserState other) {
        return new UserState(
                name,
                weight,
                ordinaryUsed.plus(other.ordinaryUsed),
                ordinaryPending.plus(other.ordinaryPending),
                training.map(own -> own.plus(other.training.orElse(Resources.NONE)))
                        .or(other::training));
    }

    /** What the user could use at most, limits aside. */
    public Resources wanted() {
        return ordinaryUsed.plus(ordinaryPending).plus(training.orElse(Resources.NONE));
    }
}
