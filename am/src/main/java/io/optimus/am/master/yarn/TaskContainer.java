package io.optimus.am.master.yarn;

import io.optimus.model.Role;
import io.optimus.protocol.TrainingProtocol;
import org.apache.hadoop.yarn.api.records.Container;

/**
 * A container that YARN allocated to a task.
 *
 * @param id YARN's container id
 * @param node YARN's node id, host:port
 * @param role the role that it was requested for
 * @param memoryMb its memory, MiB
 * @param logUrl address of the task's log; empty if the NodeManager's web address is unknown
 * @param guaranteed whether the scheduler itself requested it, within the guarantee of the queue, on a node that YARN chose
 */
public record TaskContainer(String id, String node, Role role, long memoryMb, String logUrl, boolean guaranteed) {
    /** The memory to try where {@code memoryMb} did not suffice, MiB. */
    public static long more(long memoryMb) {
        return memoryMb + memoryMb / 2;
    }

    static TaskContainer of(Container container, Role role, String user) {
        String id = container.getId().toString();
        String web = container.getNodeHttpAddress();
        String logUrl = web.isEmpty() ? "" : "http://" + web + "/node/containerlogs/" + id + "/" + user;
        boolean guaranteed = container.getAllocationRequestId() == TrainingProtocol.GUARANTEED_REQUEST_ID;
        long memoryMb = container.getResource().getMemorySize();
        return new TaskContainer(id, container.getNodeId().toString(), role, memoryMb, logUrl, guaranteed);
    }
}
