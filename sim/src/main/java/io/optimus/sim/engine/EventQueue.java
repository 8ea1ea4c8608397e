package io.optimus.sim.engine;

import java.util.PriorityQueue;

/** What is to happen, in order of time; at the same time in order of kinds, then as it was put down. */
final class EventQueue {
    /** In the order in which they happen at the same time. */
    enum Kind {
        /** A job's speed changes by itself, or the job ends. */
        CHANGE,
        NODE_FAILS,
        NODE_RETURNS,
        STRAGGLES,
        STRAGGLER_REPLACED,
        /** A job has stepped on its tasks for long enough to know how fast it is there. */
        MEASURED,
        ARRIVAL,
        ROUND
    }

    /**
     * An appointment.
     *
     * @param seconds virtual time
     * @param kind what happens
     * @param subject id of the job or node, empty for rounds and arrivals
     * @param version of a job's placement that it was made for: of no account any more when that has changed
     * @param order in which it was put down
     */
    record Entry(double seconds, Kind kind, String subject, long version, long order) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Double.compare(seconds, other.seconds);
            int byKind = byTime != 0 ? byTime : kind.compareTo(other.kind);
            return byKind != 0 ? byKind : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long put;

    /** Of something that never happens, nothing is noted. */
    void put(double seconds, Kind kind, String subject, long version) {
        if (seconds < Double.POSITIVE_INFINITY) {
            entries.add(new Entry(seconds, kind, subject, version, put++));
        }
    }

    Entry next() {
        return entries.remove();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }
}
