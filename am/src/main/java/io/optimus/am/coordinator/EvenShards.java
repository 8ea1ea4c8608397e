package io.optimus.am.coordinator;

import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Deals the flat vector to servers in equal parts, moving as little as that needs: each server keeps what it has up to
 * its part; the rest goes, in order, to those that have room.
 *
 * <p>Example: 10 floats, ps-0 has [0,10), ps-1 joins: ps-0 keeps [0,5), ps-1 gets [5,10). ps-2 joins: parts are 4, 3,
 * 3; ps-0 keeps [0,4), ps-1 keeps [5,8), ps-2 gets [4,5) and [8,10).
 */
final class EvenShards {
    private EvenShards() {}

    static SortedMap<TaskId, Ranges> assign(int floats, SortedMap<TaskId, Ranges> held, SortedSet<TaskId> servers) {
        TreeMap<TaskId, List<Range>> kept = new TreeMap<>();
        TreeMap<TaskId, Integer> room = new TreeMap<>();
        int index = 0;
        for (TaskId server : servers) {
            int part = floats / servers.size() + (index++ < floats % servers.size() ? 1 : 0);
            List<Range> keeps = take(
                    part,
                    new ArrayDeque<>(held.getOrDefault(server, Ranges.NONE).list()));
            kept.put(server, keeps);
            room.put(server, part - keeps.stream().mapToInt(Range::length).sum());
        }
        Deque<Range> free = free(floats, kept);
        TreeMap<TaskId, Ranges> assigned = new TreeMap<>();
        kept.forEach((server, keeps) -> {
            keeps.addAll(take(room.getOrDefault(server, 0), free));
            assigned.put(server, Ranges.of(keeps));
        });
        return assigned;
    }

    /** Takes {@code count} floats off the front, or all there are. */
    private static List<Range> take(int count, Deque<Range> from) {
        List<Range> taken = new ArrayList<>();
        int left = count;
        while (left > 0 && !from.isEmpty()) {
            Range range = from.removeFirst();
            if (range.length() > left) {
                from.addFirst(new Range(range.offset() + left, range.length() - left));
                range = new Range(range.offset(), left);
            }
            taken.add(range);
            left -= range.length();
        }
        return taken;
    }

    private static Deque<Range> free(int floats, Map<TaskId, List<Range>> kept) {
        Ranges taken = Ranges.of(kept.values().stream().flatMap(List::stream).toList());
        Deque<Range> free = new ArrayDeque<>();
        int from = 0;
        for (Range range : taken.list()) {
            if (from < range.offset()) {
                free.add(new Range(from, range.offset() - from));
            }
            from = range.end();
        }
        if (from < floats) {
            free.add(new Range(from, floats - from));
        }
        return free;
    }
}
