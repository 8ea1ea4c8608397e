package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.Optional;

/**
 * What one application of a leaf queue holds and asks for on one partition.
 *
 * @param user the user who submitted it
 * @param priority its priority in YARN; larger ones come first
 * @param used what it holds; of a training application only its ApplicationMaster
 * @param pending what it requests, reserved or not; of a training application only its ApplicationMaster
 * @param training its tasks, if it is a training application
 */
public record ApplicationDemand(
        String user, int priority, Resources used, Resources pending, Optional<Training> training) {
    /**
     * The tasks of a training application.
     *
     * @param running what it keeps whoever waits: its tasks up to its minimum, or all if it may not shrink
     * @param minimum the least that it runs with
     * @param maximum the most that it can use
     */
    public record Training(Resources running, Resources minimum, Resources maximum) {}

    /** A training application without tasks is no different from an ordinary one. */
    private static final Training NO_TASKS = new Training(Resources.NONE, Resources.NONE, Resources.NONE);

    /** Its tasks; none for an ordinary application. */
    Training tasks() {
        return training.orElse(NO_TASKS);
    }

    /** Its part of what its user holds and waits for. */
    public UserState ofUser(double weight) {
        return new UserState(user, weight, used, pending, training.map(Training::maximum), tasks().running());
    }
}
