package io.optimus.protocol;

import io.optimus.protocol.proto.TrainingProtos.TrainingProtocolService;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The calls of an ApplicationMaster to the scheduler: it registers its job, reports, and receives directives.
 *
 * <p>Only the active ResourceManager serves it. It identifies a caller by the AMRM token alone.
 */
@ProtocolInfo(protocolName = TrainingProtocol.NAME, protocolVersion = 1)
@KerberosInfo(serverPrincipal = YarnConfiguration.RM_PRINCIPAL)
@TokenInfo(AmRmTokenSelector.class)
public interface TrainingProtocol extends TrainingProtocolService.BlockingInterface {
    /** Name on the wire, as for every Hadoop RPC protocol. */
    String NAME = "io.optimus.protocol.TrainingProtocol";

    /** Version that this build speaks, carried in every request. */
    int VERSION = 1;

    /**
     * YARN's allocation request id of containers that the scheduler itself requests for a job, within the guarantee of its
     * queue and on nodes that YARN chooses. The ApplicationMaster keeps such a container until a directive names its node; it
     * must not use this id.
     */
    long GUARANTEED_REQUEST_ID = -8034;
}
