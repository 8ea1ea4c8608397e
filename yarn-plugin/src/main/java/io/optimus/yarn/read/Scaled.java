package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import java.util.HashMap;
import java.util.Map;

/** Amounts of resources in proportion. */
final class Scaled {
    private static final double PERCENT = 100;

    private Scaled() {}

    /**
     * The part of {@code after} that {@code amount} is of {@code before}, rounded down. Of a resource that there was nothing of,
     * it is the same part as of the memory.
     *
     * <p>Example: 5 of 10 GPUs are 6 of 12.
     */
    static Resources of(Resources amount, Resources before, Resources after) {
        double ofMemory = part(amount, before, Resources.MEMORY_MB, 1);
        Map<String, Long> scaled = new HashMap<>();
        for (String resource : after.amounts().keySet()) {
            // A quotient may be rounded below a whole number.
            double exact = after.amount(resource) * part(amount, before, resource, ofMemory);
            scaled.put(resource, (long) Math.floor(exact + 1e-6));
        }
        return Resources.of(scaled);
    }

    private static double part(Resources amount, Resources before, String resource, double otherwise) {
        return before.amount(resource) > 0 ? (double) amount.amount(resource) / before.amount(resource) : otherwise;
    }

    static Resources percent(Resources amount, double percent) {
        Map<String, Long> part = new HashMap<>();
        amount.amounts()
                .forEach((resource, whole) -> part.put(resource, (long) Math.floor(whole * percent / PERCENT + 1e-6)));
        return Resources.of(part);
    }
}
