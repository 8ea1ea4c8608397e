package io.optimus.model.policy;

/** Why a job has the allocation that it has: a value, with a sentence for people. */
public interface AllocationReason {
    /** The reason in words, with the figures that decided. */
    String sentence();
}
