package io.optimus.am.master.journal;

import java.util.Map;

/** The job's log of events, one line each, in order. */
public interface Journal extends AutoCloseable {
    /**
     * Adds an event; returns at once.
     *
     * @param event its kind: {@code loss}, {@code resize}, …
     * @param fields numbers, texts, booleans, or maps and lists of them; written in their order
     */
    void note(String event, Map<String, ?> fields);

    /** The events added so far are written soon, for an attempt that may follow at any moment. */
    void hurry();

    /** Writes the events added so far, and waits a limited time for that. */
    @Override
    void close();
}
