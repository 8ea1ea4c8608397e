package io.optimus.sim.engine;

import java.util.PriorityQueue;

/** Future events in order of virtual time, then of their kinds, then as they were added. */
final class EventQueue {
    /** Kinds of events, in the order in which events of the same time are handled. */
    enum Kind {
        /** The speed of a job changes by itself, or the job ends. */
        CHANGE,
        NODE_FAILS,
        NODE_RETURNS,
        STRAGGLES,
        STRAGGLER_REPLACED,
        /** A job has trained on its tasks for long enough to measure its speed. */
        MEASURED,
        /** Nodes come or go, others take or free room, or limits of queues change. */
        CLUSTER_CHANGES,
        ARRIVAL,
        ROUND
    }

    /**
     * One event.
     *
     * @param seconds virtual time
     * @param kind what happens
     * @param subject id of the job or node, empty for rounds and arrivals
     * @param version version of the job's placement for which the event was added; once the placement has changed, the
     *     event is ignored
     * @param order number in the order of adding
     */
    record Event(double seconds, Kind kind, String subject, long version, long order) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(seconds, other.seconds);
            int byKind = byTime != 0 ? byTime : kind.compareTo(other.kind);
            return byKind != 0 ? byKind : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long added;

    /** Adds an event, unless its time is infinite. */
    void add(double seconds, Kind kind, String subject, long version) {
        if (seconds < Double.POSITIVE_INFINITY) {
            events.add(new Event(seconds, kind, subject, version, added++));
        }
    }

    Event remove() {
        return events.remove();
    }

    boolean isEmpty() {
        return events.isEmpty();
    }
}
