package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.Optional;

/**
 * One user in one leaf queue and partition.
 *
 * @param name of the user
 * @param weight weight of the user in the queue, 0 or more; 1 by default
 * @param ordinaryUsed what the ordinary applications and all ApplicationMasters of the user hold
 * @param ordinaryPending what the user's ordinary applications request, reserved or not, and the containers that
 *     ApplicationMasters wait for
 * @param training the most that training tasks of the user could take; empty without training applications here
 * @param running what running training of the user keeps whoever waits: of each job, its tasks up to its minimum, or all if it may
 *     not shrink
 */
public record UserState(
        String name,
        double weight,
        Resources ordinaryUsed,
        Resources ordinaryPending,
        Optional<Resources> training,
        Resources running) {
    /** A user without running training. */
    public UserState(
            String name,
            double weight,
            Resources ordinaryUsed,
            Resources ordinaryPending,
            Optional<Resources> training) {
        this(name, weight, ordinaryUsed, ordinaryPending, training, Resources.NONE);
    }

    /** The sum of this state and another state of the same user. */
    public UserState plus(UserState other) {
        return new UserState(
                name,
                weight,
                ordinaryUsed.plus(other.ordinaryUsed),
                ordinaryPending.plus(other.ordinaryPending),
                training.map(own -> own.plus(other.training.orElse(Resources.NONE)))
                        .or(other::training),
                running.plus(other.running));
    }

    /** The most that the user could use if there were no limits. */
    public Resources wanted() {
        return ordinaryUsed.plus(ordinaryPending).plus(training.orElse(Resources.NONE));
    }
}
