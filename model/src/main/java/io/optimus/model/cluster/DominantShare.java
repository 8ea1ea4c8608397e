package io.optimus.model.cluster;

/**
 * The resource of which a demand takes its largest share (DRF, NSDI 2011).
 *
 * @param resource its name; empty if nothing is taken
 * @param part of the total, 0 or more; infinite for a resource that the total does not have
 */
public record DominantShare(String resource, double part) {
    /** The share of a demand for nothing. */
    public static final DominantShare NONE = new DominantShare("", 0);
}
