package io.optimus.am.master.yarn;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/**
 * How a container ended.
 *
 * @param container YARN's container id
 * @param status the process's exit status, or one of YARN's negative ones
 * @param diagnostics what YARN says about it
 */
public record ContainerExit(String container, int status, String diagnostics) {
    /** Status of a task that the ApplicationMaster gave up because it never became ready. */
    public static final int NEVER_READY = -1001;
    /** Status of a task whose process a NodeManager refused to start. */
    public static final int NEVER_STARTED = -1002;
    /** Status of a task that the training gave up while its container went on. */
    public static final int SILENT = -1003;

    /** Taken by the scheduler: it shall not be asked for again under the same plan. */
    public boolean preempted() {
        return status == ContainerExitStatus.PREEMPTED;
    }

    /** Whether the task is to blame, rather than its node, YARN or the scheduler. */
    public boolean taskFailed() {
        return switch (status) {
            case ContainerExitStatus.PREEMPTED,
                    ContainerExitStatus.ABORTED,
                    ContainerExitStatus.DISKS_FAILED,
                    ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
                    ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
                    ContainerExitStatus.KILLED_AFTER_APP_COMPLETION -> false;
            default -> true;
        };
    }

    /** The status for people. */
    public String inWords() {
        return switch (status) {
            case NEVER_READY -> "no connection in time";
            case NEVER_STARTED -> "a refused start";
            case SILENT -> "silence";
            default -> "exit status " + status;
        };
    }
}
