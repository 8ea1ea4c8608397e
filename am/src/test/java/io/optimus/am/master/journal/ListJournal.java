package io.optimus.am.master.journal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A journal in memory. */
public final class ListJournal implements Journal {
    final List<Map<String, Object>> events = new ArrayList<>();

    @Override
    public void note(String event, Map<String, ?> fields) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("event", event);
        line.putAll(fields);
        events.add(line);
    }

    public List<Map<String, Object>> of(String event) {
        return events.stream().filter(line -> event.equals(line.get("event"))).toList();
    }

    @Override
    public void hurry() {}

    @Override
    public void close() {}
}
