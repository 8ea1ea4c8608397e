package io.optimus.model.losses;

import java.util.List;

/**
 * Mean losses by epoch, as far as a rule that ends training needs them.
 *
 * @param largest the largest so far, as an amount: what decreases are measured against; 0 before the first point. While the
 *     first epoch lasts, its mean so far
 * @param latest of the last epochs that ended, without one missing between them; bounded
 * @param ended how many epochs had ended with the last of {@code latest}
 */
public record EpochLosses(double largest, List<Double> latest, double ended) {
    /** Before the first point. */
    public static final EpochLosses NONE = new EpochLosses(0, List.of(), 0);

    /** Copies. */
    public EpochLosses {
        latest = List.copyOf(latest);
    }
}
