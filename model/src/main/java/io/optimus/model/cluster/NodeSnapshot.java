package io.optimus.model.cluster;

/**
 * One node as a round sees it.
 *
 * @param id YARN's node id, host:port
 * @param capacity all resources of the node
 * @param available what training tasks may take here: the capacity less the resources of ordinary applications and
 *     ApplicationMasters. Resources that training tasks hold count as available. May be negative.
 * @param gpuType type of its GPUs, such as {@code a100}; empty if it is not known
 * @param rack name of its rack
 */
public record NodeSnapshot(String id, Resources capacity, Resources available, String gpuType, String rack) {
    /** A node of unknown GPU type and rack. */
    public NodeSnapshot(String id, Resources capacity, Resources available) {
        this(id, capacity, available, "", "");
    }

    /** The same node with other room. */
    public NodeSnapshot withAvailable(Resources room) {
        return new NodeSnapshot(id, capacity, room, gpuType, rack);
    }
}
