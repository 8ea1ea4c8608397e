package io.optimus.model.cluster;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/**
 * Amounts of named resources, such as {@code memory-mb}, {@code vcores} and {@code yarn.io/gpu}; a missing name stands for
 * zero. Amounts may be negative, as the free amounts of an overcommitted node are.
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
    /** No resources. */
    public static final Resources NONE = new Resources(new String[0], new long[0]);

    /** Names in order, in arrays, because rounds add and compare amounts millions of times. */
    private final String[] names;
    /** The amount of each name, none of them zero. */
    private final long[] values;

    private Resources(String[] names, long[] values) {
        this.names = names;
        this.values = values;
    }

    /** Resources by name and amount. */
    public static Resources of(Map<String, Long> amounts) {
        TreeMap<String, Long> sorted = new TreeMap<>(amounts);
        String[] names = sorted.keySet().toArray(String[]::new);
        long[] values = sorted.values().stream().mapToLong(Long::longValue).toArray();
        return withoutZeros(names, values, values.length);
    }

    /** Resources of memory in MiB, virtual cores and GPUs. */
    public static Resources of(long memoryMb, long vcores, long gpus) {
        return of(Map.of(MEMORY_MB, memoryMb, VCORES, vcores, GPUS, gpus));
    }

    /** The first {@code count} entries of both arrays without zeros, the names in order; owns the arrays. */
    private static Resources withoutZeros(String[] names, long[] values, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (values[i] != 0) {
                names[kept] = names[i];
                values[kept++] = values[i];
            }
        }
        if (kept == 0) {
            return NONE;
        }
        return kept == names.length
                ? new Resources(names, values)
                : new Resources(Arrays.copyOf(names, kept), Arrays.copyOf(values, kept));
    }

    /** Amounts by name, without zeros, in order of the names. */
    public SortedMap<String, Long> amounts() {
        TreeMap<String, Long> amounts = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            amounts.put(names[i], values[i]);
        }
        return Collections.unmodifiableSortedMap(amounts);
    }

    /** How many names have an amount. */
    public int size() {
        return names.length;
    }

    /** The name at {@code index}, in order of the names. */
    String name(int index) {
        return names[index];
    }

    /** The amount of the name at {@code index}. */
    long value(int index) {
        return values[index];
    }

    /** Amount of {@code name}, zero where there is none. */
    public long amount(String name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return 0;
    }

    /** The sum of both. */
    public Resources plus(Resources other) {
        return other.names.length == 0 ? this : combine(other, Math::addExact);
    }

    /** The difference, which may be negative. */
    public Resources minus(Resources other) {
        return other.names.length == 0 ? this : combine(other, Math::subtractExact);
    }

    /** {@code count} times these amounts; {@code count} may be zero. */
    public Resources times(long count) {
        if (count == 0 || names.length == 0) {
            return NONE;
        }
        long[] product = new long[values.length];
        for (int i = 0; i < product.length; i++) {
            product[i] = Math.multiplyExact(values[i], count);
        }
        return new Resources(names, product);
    }

    /** These amounts, where those below {@code least} count as {@code least}, and those above {@code most} as {@code most}. */
    public Resources within(long least, long most) {
        long[] bounded = Arrays.stream(values)
                .map(value -> Math.max(least, Math.min(most, value)))
                .toArray();
        return withoutZeros(names.clone(), bounded, bounded.length);
    }

    /** The smaller amount of each. */
    public Resources min(Resources other) {
        return combine(other, Math::min);
    }

    /** The larger amount of each. */
    public Resources max(Resources other) {
        return combine(other, Math::max);
    }

    /** Whether {@code room} has every amount that this asks for; other resources do not matter. */
    public boolean fitsIn(Resources room) {
        for (int i = 0; i < names.length; i++) {
            if (values[i] > 0 && values[i] > room.amount(names[i])) {
                return false;
            }
        }
        return true;
    }

    /** How many times this fits into {@code room}, at most {@code limit}; {@code limit} if this asks for nothing. */
    public long timesIn(Resources room, long limit) {
        long count = limit;
        for (int i = 0; i < names.length; i++) {
            if (values[i] > 0) {
                count = Math.min(count, Math.max(0, room.amount(names[i])) / values[i]);
            }
        }
        return count;
    }

    /** The resource of which this takes the largest share of {@code total}; of equal shares, the first name. */
    public DominantShare dominant(Resources total) {
        DominantShare dominant = DominantShare.NONE;
        for (int i = 0; i < names.length; i++) {
            long of = total.amount(names[i]);
            double part = of <= 0 ? Double.POSITIVE_INFINITY : (double) values[i] / of;
            if (values[i] > 0 && part > dominant.part()) {
                dominant = new DominantShare(names[i], part);
            }
        }
        return dominant;
    }

    /** Merges both lists of names. */
    private Resources combine(Resources other, LongBinaryOperator operator) {
        String[] merged = new String[names.length + other.names.length];
        long[] results = new long[merged.length];
        int mine = 0;
        int theirs = 0;
        int count = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = order(mine, other, theirs);
            merged[count] = order <= 0 ? names[mine] : other.names[theirs];
            results[count++] =
                    operator.applyAsLong(order <= 0 ? values[mine++] : 0, order >= 0 ? other.values[theirs++] : 0);
        }
        return withoutZeros(merged, results, count);
    }

    /** Below 0 if the name at {@code mine} comes next, above 0 if that of {@code other} does, 0 if they are the same. */
    private int order(int mine, Resources other, int theirs) {
        if (mine == names.length) {
            return 1;
        }
        return theirs == other.names.length ? -1 : names[mine].compareTo(other.names[theirs]);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Resources resources
                && Arrays.equals(values, resources.values)
                && Arrays.equals(names, resources.names);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + Arrays.hashCode(values);
    }

    /** For logs, such as {@code memory-mb=2048 vcores=1 yarn.io/gpu=1}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.length; i++) {
            text.append(text.isEmpty() ? "" : " ").append(names[i]).append('=').append(values[i]);
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }
}
