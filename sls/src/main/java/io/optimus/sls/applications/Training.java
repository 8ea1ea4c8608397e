package io.optimus.sls.applications;

/** A training job, as the measurement asks for its state; safe for any thread. */
public interface Training {
    /** The tasks that it holds. */
    int tasksHeld();

    /** The number of the last plan that it followed; 0 without a plan. */
    long planFollowed();

    /** The plans that it followed. */
    int plansFollowed();
}
