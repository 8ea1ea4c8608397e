package io.optimus.am.master.journal;

import java.util.Map;

/** The job's diary: one line an event, in order. */
public interface Journal extends AutoCloseable {
    /**
     * Notes an event; returns at once.
     *
     * @param event its kind: {@code loss}, {@code resize}, …
     * @param fields numbers, texts, booleans, or maps and lists of them; in the given order
     */
    void note(String event, Map<String, ?> fields);

    /** Writes out what was noted; waits for it a limited time. */
    @Override
    void close();
}
