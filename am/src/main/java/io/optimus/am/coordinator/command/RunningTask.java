package io.optimus.am.coordinator.command;

import io.optimus.am.wire.TaskId;

/** A task whose command runs, and the address that was reserved for it. */
record RunningTask(TaskId id, String host, int port) {
    String address() {
        return host + ":" + port;
    }
}
