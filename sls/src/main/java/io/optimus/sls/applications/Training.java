package io.optimus.sls.applications;

/** A training job, as the measurement asks for its state; safe for any thread. */
public interface Training {
    /** The tasks that it holds. */
    int tasksHeld();

    /** Whether it ever held a task; one that moves to other nodes may hold none for a moment. */
    boolean started();

    /** The number of the last plan that it followed; 0 without a plan. */
    long planFollowed();

    /** The plans that it followed. */
    int plansFollowed();
}
