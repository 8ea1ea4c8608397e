package io.optimus.model.assignment;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Orders and sums of block lengths. */
final class Blocks {
    private Blocks() {}

    /** Indices, longest block first, equal ones in their order. */
    static int[] descending(List<Long> blockFloats) {
        return IntStream.range(0, blockFloats.size())
                .boxed()
                .sorted(Comparator.comparing(blockFloats::get, Comparator.reverseOrder()))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Indices, blocks longer than {@code small} first, longest before shorter; then the others, shortest before longer,
     * so that the many tiny ones even out the number of requests and the last ones the bytes.
     */
    static int[] largeThenSmall(List<Long> blockFloats, double small) {
        int[] order = descending(blockFloats);
        int large = 0;
        while (large < order.length && blockFloats.get(order[large]) > small) {
            large++;
        }
        for (int i = large, j = order.length - 1; i < j; i++, j--) {
            int block = order[i];
            order[i] = order[j];
            order[j] = block;
        }
        return order;
    }

    /** Floats of all blocks. */
    static long sum(List<Long> blockFloats) {
        return blockFloats.stream().mapToLong(Long::longValue).sum();
    }
}
