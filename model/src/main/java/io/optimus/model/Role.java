package io.optimus.model;

/** The role of a task in a training job. */
public enum Role {
    /** Computes gradients. */
    WORKER,
    /** Holds a shard of the parameters and applies updates to it. */
    PARAMETER_SERVER
}
