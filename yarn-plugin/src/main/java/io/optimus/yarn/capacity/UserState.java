package io.optimus.yarn.capacity;

import io.optimus.model.cluster.Resources;

/**
 * One user in one leaf queue and partition.
 *
 * @param name of the user
 * @param ordinaryUsed what his ordinary applications and all his ApplicationMasters hold
 * @param ordinaryPending what his ordinary applications ask for, reserved or not, and ApplicationMasters that wait for their
 *     containers
 * @param training whether he has training applications here
 */
record UserState(String name, Resources ordinaryUsed, Resources ordinaryPending, boolean training) {
    /** Both together, of the same user. */
    UserState plus(UserState other) {
        return new UserState(
                name,
                ordinaryUsed.plus(other.ordinaryUsed),
                ordinaryPending.plus(other.ordinaryPending),
                training || other.training);
    }
}
