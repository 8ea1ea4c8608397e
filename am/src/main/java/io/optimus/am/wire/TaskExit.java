package io.optimus.am.wire;

/** The exit statuses of a task's process, beside 0 where it was told to leave. */
public final class TaskExit {
    /** It cannot do its work, and has told the coordinator why. */
    public static final int UNABLE = 2;

    /**
     * It ran out of memory: its heap or its direct buffers are full, where {@code -XX:+ExitOnOutOfMemoryError} ends the JVM, or
     * Linux killed a process that it had started.
     */
    public static final int OUT_OF_MEMORY = 3;

    /** The coordinator is gone, so the task is not needed any more. */
    public static final int COORDINATOR_LOST = 4;

    private TaskExit() {}
}
