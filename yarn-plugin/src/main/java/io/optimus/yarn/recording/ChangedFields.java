package io.optimus.yarn.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Leaves out of objects what was written of them before.
 *
 * <p>Example: {@code {"id":"a","step":5,"user":"ann"}} is written whole, and {@code {"id":"a","step":7,"user":"ann"}} after it
 * as {@code {"id":"a","step":7}}. A field that is gone is written as null.
 */
final class ChangedFields {
    private final String idField;
    private final SortedMap<String, ObjectNode> written = new TreeMap<>();

    /** {@code idField} names the field that tells objects apart; it is always written. */
    ChangedFields(String idField) {
        this.idField = idField;
    }

    /** What to write of {@code object}, which is kept and must not change; empty if nothing has changed. */
    Optional<ObjectNode> of(String id, ObjectNode object) {
        ObjectNode before = written.put(id, object);
        ObjectNode changed = object.objectNode().put(idField, id);
        if (before == null) {
            changed.setAll(object);
            return Optional.of(changed);
        }
        object.fields().forEachRemaining(field -> {
            if (!field.getValue().equals(before.get(field.getKey()))) {
                changed.set(field.getKey(), field.getValue());
            }
        });
        before.fieldNames().forEachRemaining(name -> {
            if (!object.has(name)) {
                changed.putNull(name);
            }
        });
        return changed.size() > 1 ? Optional.of(changed) : Optional.empty();
    }

    /** Forgets all objects but these; returns the ids of those that were there and are not any more. */
    List<String> keepOnly(Set<String> ids) {
        List<String> gone = new ArrayList<>(written.keySet());
        gone.removeAll(ids);
        written.keySet().retainAll(ids);
        return gone;
    }

    void clear() {
        written.clear();
    }
}
