package io.optimus.am.master.yarn;

import io.optimus.am.wire.TaskExit;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;

/**
 * How a container ended.
 *
 * @param container YARN's container id
 * @param status the process's exit status (see {@link TaskExit}), one of YARN's negative ones, or one of the constants below
 * @param diagnostics YARN's description
 */
public record ContainerExit(String container, int status, String diagnostics) {
    /** The ApplicationMaster gave the task up because its process never connected. */
    public static final int NEVER_READY = -1001;

    /** A NodeManager refused to start the process. */
    public static final int NEVER_STARTED = -1002;

    /** The coordinator lost the task while its container went on. */
    public static final int SILENT = -1003;

    /** The ApplicationMaster replaced the task because it was much slower than the others. */
    public static final int STRAGGLER = -1004;

    /** The ApplicationMaster replaced the task because its container has too little memory. */
    public static final int TOO_SMALL = -1005;

    /** SIGKILL as a shell reports it. */
    private static final int KILLED = 137;

    /** The same, with what the task or its coordinator said before it ended. */
    public ContainerExit because(String reason) {
        return diagnostics.contains(reason) ? this : new ContainerExit(container, status, reason + "\n" + diagnostics);
    }

    /** Whether the scheduler took the container: it is not requested again under the same plan. */
    public boolean preempted() {
        return status == ContainerExitStatus.PREEMPTED;
    }

    /** Whether its NodeManager could not fetch the files that it needs. */
    public boolean lacksFiles() {
        return status == ContainerExitStatus.INVALID;
    }

    /** Whether neither the task nor YARN has said why it ended. Its node may have failed. */
    public boolean isUnexplained() {
        return status == NEVER_READY || status == NEVER_STARTED || status == SILENT;
    }

    /** Whether the task ended as one that is told to leave. */
    public boolean hasLeft() {
        return status == ContainerExitStatus.SUCCESS;
    }

    /** Whether the task itself failed, rather than its node or YARN. */
    public boolean taskFailed() {
        return switch (status) {
            case ContainerExitStatus.PREEMPTED,
                    ContainerExitStatus.ABORTED,
                    ContainerExitStatus.DISKS_FAILED,
                    ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
                    ContainerExitStatus.KILLED_BY_CONTAINER_SCHEDULER,
                    ContainerExitStatus.KILLED_AFTER_APP_COMPLETION,
                    TOO_SMALL -> false;
            default -> true;
        };
    }

    /**
     * Whether the task, or a process that it had started, needed more memory than its container has. Where Linux enforces the
     * container's memory, SIGKILL is the only sign of it.
     */
    public boolean isOutOfMemory() {
        return switch (status) {
            case TaskExit.OUT_OF_MEMORY,
                    ContainerExitStatus.KILLED_EXCEEDED_PMEM,
                    ContainerExitStatus.KILLED_EXCEEDED_VMEM,
                    KILLED -> true;
            default -> false;
        };
    }

    /**
     * Describes how the task in {@code container} ended, as the predicate of a sentence.
     *
     * @param grows whether tasks of its role get more memory by themselves
     */
    public String inWords(TaskContainer container, boolean grows) {
        String memory = "its container has " + container.memoryMb() + " MiB" + (grows ? "" : remedy(container));
        return switch (status) {
            case NEVER_READY -> "did not connect in time";
            case NEVER_STARTED -> "could not be started";
            case SILENT -> "lost its connection";
            case STRAGGLER -> "was replaced because it was slow";
            case TOO_SMALL -> "was replaced because its container of " + container.memoryMb() + " MiB is too small";
            case ContainerExitStatus.KILLED_EXCEEDED_PMEM -> "was ended by YARN because it used more memory than its"
                    + " container has (" + memory + ")";
            case ContainerExitStatus.KILLED_EXCEEDED_VMEM -> "was ended by YARN because it reserved more virtual memory"
                    + " than the check of YARN allows (" + memory + ", or have"
                    + " yarn.nodemanager.vmem-check-enabled switched off)";
            case ContainerExitStatus.INVALID -> "could not be started, since its node could not fetch its files";
            case TaskExit.OUT_OF_MEMORY -> "ran out of memory (" + memory + ")";
            case TaskExit.COORDINATOR_LOST -> "lost the ApplicationMaster and ended itself";
            case KILLED -> "was killed (exit status 137), perhaps because its node ran out of memory, or its container"
                    + " (" + memory + ")";
            default -> "ended with exit status " + status;
        };
    }

    private static String remedy(TaskContainer container) {
        String role =
                switch (container.role()) {
                    case WORKER -> "worker";
                    case PARAMETER_SERVER -> "ps";
                };
        return ": set roles." + role + ".memoryMb to " + TaskContainer.more(container.memoryMb())
                + ", for example, or roles." + role + ".memory to auto";
    }
}
