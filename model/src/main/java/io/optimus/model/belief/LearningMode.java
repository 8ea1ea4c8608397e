package io.optimus.model.belief;

/** How the scheduler learns the speed of a job. */
public enum LearningMode {
    /** The job first runs on the sizes that a fit needs, and its policy gets only measured speeds. */
    EXPLORE_FIRST,
    /** The policy gets an expected speed from the start, and the job tries a size if that is expected to pay off. */
    TRY_SIZES,
    /** The job never changes its size in order to learn: its policy does not resize jobs. */
    FIXED_SIZE
}
