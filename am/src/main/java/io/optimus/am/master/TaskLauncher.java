package io.optimus.am.master;

import io.optimus.am.wire.TaskId;

/** The NodeManagers, as the job sees them. Calls return at once. */
interface TaskLauncher {
    /** Starts the process of {@code task} in its container. */
    void launch(TaskId task, Grant grant);

    /** Stops whatever runs in the container. */
    void stop(Grant grant);

    /** What NodeManagers say, called on any thread. */
    interface Listener {
        /** The process could not be started. */
        void launchFailed(String container, String why);
    }
}
