package io.optimus.model;

/** What a task of a training job is. */
public enum Role {
    /** Computes gradients. */
    WORKER,
    /** Holds a shard of the parameters and applies updates to it. */
    PARAMETER_SERVER
}
