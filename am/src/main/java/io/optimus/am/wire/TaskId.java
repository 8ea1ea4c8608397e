package io.optimus.am.wire;

import io.optimus.model.Role;
import java.util.Comparator;

/**
 * Identifies a task of a job. No other process of the same role ever has the same index, not even after the first ended.
 *
 * @param role the role
 * @param index 0 or more, unique within the role while the job lives
 */
public record TaskId(Role role, int index) implements Comparable<TaskId> {
    private static final Comparator<TaskId> ORDER =
            Comparator.comparing(TaskId::role).thenComparingInt(TaskId::index);

    /** Throws if the index is negative. */
    public TaskId {
        if (index < 0) {
            throw new IllegalArgumentException("A task's index must be 0 or more, got " + index);
        }
    }

    /** Returns worker number {@code index}. */
    public static TaskId worker(int index) {
        return new TaskId(Role.WORKER, index);
    }

    /** Returns parameter server number {@code index}. */
    public static TaskId server(int index) {
        return new TaskId(Role.PARAMETER_SERVER, index);
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if {@code text} is not like {@code worker-3} or {@code ps-0}
     */
    public static TaskId parse(String text) {
        int dash = text.lastIndexOf('-');
        try {
            int index = Integer.parseInt(text.substring(dash + 1));
            return switch (dash < 0 ? "" : text.substring(0, dash)) {
                case "worker" -> worker(index);
                case "ps" -> server(index);
                default -> throw new IllegalArgumentException("neither worker nor ps");
            };
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("A task is named like worker-3 or ps-0, got '" + text + "'", e);
        }
    }

    /** Orders workers before parameter servers, then by index. */
    @Override
    public int compareTo(TaskId other) {
        return ORDER.compare(this, other);
    }

    /** Returns the name, such as {@code worker-3} or {@code ps-0}. */
    @Override
    public String toString() {
        return switch (role) {
            case WORKER -> "worker-" + index;
            case PARAMETER_SERVER -> "ps-" + index;
        };
    }
}
