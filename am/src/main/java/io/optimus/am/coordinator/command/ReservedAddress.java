package io.optimus.am.coordinator.command;

import io.optimus.am.wire.TaskId;

/** The address that is reserved on the node of {@code task}, for its command to listen at. */
record ReservedAddress(TaskId task, String host, int port) {
    String hostAndPort() {
        return host + ":" + port;
    }
}
