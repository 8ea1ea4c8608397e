package io.optimus.am.wire.shards;

/**
 * The parts in which a shard's gradient is pushed, applied and answered. A part has a quarter of a megabyte, which fits into a
 * processor's cache; in a large shard it has a 64th of the shard. The last part comes first, since a backward pass ends with the
 * first layers.
 *
 * <p>Example: a shard of 150,000 floats has the parts [131072, 150000), [65536, 131072) and [0, 65536), in this order.
 *
 * @param floats of the shard
 * @param length the floats of each part but the last one
 * @param count 1 or more
 */
public record Parts(int floats, int length, int count) {
    private static final int MOST = 64;

    /** Returns the parts of a shard of {@code floats}, which both sides compute. */
    public static Parts of(int floats) {
        int length = Math.max(ShardChannel.SHORTEST_PART, (floats + MOST - 1) / MOST);
        return new Parts(floats, length, Math.max(1, (floats + length - 1) / length));
    }

    /** The first float of a part. */
    public int from(int part) {
        return part * length;
    }

    /** The first float of the part that comes first. */
    public int first() {
        return from(count - 1);
    }

    /** The part in which {@code place} lies. */
    public int partOf(int place) {
        return Math.min(place / length, count - 1);
    }

    /** The float behind the part in which {@code place} lies. */
    public int end(int place) {
        return to(partOf(place));
    }

    /** The float that comes after those up to {@code end}, which is behind a piece of a part; -1 if none does. */
    public int next(int end) {
        int part = Math.max(0, end - 1) / length;
        if (end < to(part)) {
            return end;
        }
        return part == 0 ? -1 : from(part - 1);
    }

    /** The float behind a part. */
    public int to(int part) {
        return Math.min(floats, from(part) + length);
    }
}
