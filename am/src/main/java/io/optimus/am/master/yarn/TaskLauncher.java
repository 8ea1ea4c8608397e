package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskId;

/** The NodeManagers, as the job sees them. Calls return at once. */
public interface TaskLauncher {
    /** Starts the process of {@code task} in its container. */
    void launch(TaskId task, TaskContainer grant);

    /** Stops whatever runs in the container. */
    void stop(TaskContainer grant);

    /** What NodeManagers say, called on any thread. */
    interface Listener {
        /** The process could not be started. */
        void launchFailed(String container, String why);
    }
}
