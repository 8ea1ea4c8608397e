package io.optimus.model.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/**
 * Amounts of named resources, such as {@code memory-mb}, {@code vcores} and {@code yarn.io/gpu}; a name that is not
 * there stands for zero. Amounts may be negative: what is left of an overcommitted node is.
 *
 * <p>Immutable; two are equal when all their amounts are.
 */
public final class Resources {
    /** YARN's name of memory, in MiB. */
    public static final String MEMORY_MB = "memory-mb";
    /** YARN's name of virtual cores. */
    public static final String VCORES = "vcores";
    /** YARN's name of GPUs. */
    public static final String GPUS = "yarn.io/gpu";
    /** Nothing of anything. */
    public static final Resources NONE = new Resources(new TreeMap<>());

    private final SortedMap<String, Long> amounts;

    private Resources(SortedMap<String, Long> nonZeroAmounts) {
        this.amounts = Collections.unmodifiableSortedMap(nonZeroAmounts);
    }

    /** Of amounts by name. */
    public static Resources of(Map<String, Long> amounts) {
        TreeMap<String, Long> nonZero = new TreeMap<>(amounts);
        nonZero.values().removeIf(amount -> amount == 0);
        return nonZero.isEmpty() && NONE != null ? NONE : new Resources(nonZero);
    }

    /** Of memory in MiB, virtual cores and GPUs. */
    public static Resources of(long memoryMb, long vcores, long gpus) {
        return of(Map.of(MEMORY_MB, memoryMb, VCORES, vcores, GPUS, gpus));
    }

    /** Amounts by name, without zeros, in order of the names. */
    public SortedMap<String, Long> amounts() {
        return amounts;
    }

    /** Amount of {@code name}, zero where there is none. */
    public long amount(String name) {
        return amounts.getOrDefault(name, 0L);
    }

    /** Sum. */
    public Resources plus(Resources other) {
        return other.amounts.isEmpty() ? this : combine(other, Math::addExact);
    }

    /** Difference; may be negative. */
    public Resources minus(Resources other) {
        return other.amounts.isEmpty() ? this : combine(other, Math::subtractExact);
    }

    /** This much {@code count} times; {@code count} may be zero. */
    public Resources times(long count) {
        TreeMap<String, Long> product = new TreeMap<>();
        amounts.forEach((name, amount) -> product.put(name, Math.multiplyExact(amount, count)));
        return of(product);
    }

    /** The smaller amount of each. */
    public Resources min(Resources other) {
        return combine(other, Math::min);
    }

    /** The larger amount of each. */
    public Resources max(Resources other) {
        return combine(other, Math::max);
    }

    /** Whether every amount that this asks for is in {@code room}; what this does not ask for does not matter. */
    public boolean fitsIn(Resources room) {
        for (Map.Entry<String, Long> asked : amounts.entrySet()) {
            if (asked.getValue() > 0 && asked.getValue() > room.amount(asked.getKey())) {
                return false;
            }
        }
        return true;
    }

    /** How many of this fit into {@code room}, at most {@code limit}; {@code limit} where this asks for nothing. */
    public long timesIn(Resources room, long limit) {
        long count = limit;
        for (Map.Entry<String, Long> asked : amounts.entrySet()) {
            if (asked.getValue() > 0) {
                count = Math.min(count, Math.max(0, room.amount(asked.getKey())) / asked.getValue());
            }
        }
        return count;
    }

    /** The resource of which this takes the largest share of {@code total}; of equal shares, the first name. */
    public DominantShare dominant(Resources total) {
        DominantShare dominant = DominantShare.NONE;
        for (Map.Entry<String, Long> asked : amounts.entrySet()) {
            long of = total.amount(asked.getKey());
            double part = of <= 0 ? Double.POSITIVE_INFINITY : (double) asked.getValue() / of;
            if (asked.getValue() > 0 && part > dominant.part()) {
                dominant = new DominantShare(asked.getKey(), part);
            }
        }
        return dominant;
    }

    private Resources combine(Resources other, LongBinaryOperator operator) {
        TreeMap<String, Long> result = new TreeMap<>();
        amounts.forEach(
                (name, amount) -> putUnlessZero(result, name, operator.applyAsLong(amount, other.amount(name))));
        other.amounts.forEach((name, amount) -> {
            if (!amounts.containsKey(name)) {
                putUnlessZero(result, name, operator.applyAsLong(0, amount));
            }
        });
        return result.isEmpty() ? NONE : new Resources(result);
    }

    private static void putUnlessZero(SortedMap<String, Long> amounts, String name, long amount) {
        if (amount != 0) {
            amounts.put(name, amount);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Resources resources && amounts.equals(resources.amounts);
    }

    @Override
    public int hashCode() {
        return amounts.hashCode();
    }

    /** For people: {@code memory-mb=2048 vcores=1 yarn.io/gpu=1}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        amounts.forEach((name, amount) ->
                text.append(text.isEmpty() ? "" : " ").append(name).append('=').append(amount));
        return text.isEmpty() ? "nothing" : text.toString();
    }
}
