package io.optimus.model;

/** How the gradients of the workers are combined. */
public enum TrainingMode {
    /** All workers' gradients make one update; the global batch is fixed and shared by the workers. */
    SYNCHRONOUS,
    /** Each worker's gradient is an update by itself; the batch of a worker is fixed. A step is one applied update. */
    ASYNCHRONOUS
}
