package io.optimus.model.belief;

/** How the scheduler learns the speed of a job. */
public enum LearningMode {
    /** The job first runs on the sizes that a fit needs, and its policy is told measured speeds only. */
    EXPLORE_FIRST,
    /** The policy is told an expected speed from the start, and the job tries a size where that is expected to repay. */
    TRY_SIZES,
    /** The job never changes its size in order to learn: its policy does not resize jobs. */
    FIXED_SIZE
}
