package io.optimus.protocol;

import io.optimus.protocol.proto.TrainingProtos.TrainingProtocolService;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Registers a training job with the scheduler, reports what it learns, and brings back its part of the plan.
 *
 * <p>Served by the active ResourceManager only; a caller is known by its AMRM token and by nothing that it says.
 */
@ProtocolInfo(protocolName = TrainingProtocol.NAME, protocolVersion = 1)
@KerberosInfo(serverPrincipal = YarnConfiguration.RM_PRINCIPAL)
@TokenInfo(AmRmTokenSelector.class)
public interface TrainingProtocol extends TrainingProtocolService.BlockingInterface {
    /** Name on the wire, as for every Hadoop RPC protocol. */
    String NAME = "io.optimus.protocol.TrainingProtocol";

    /** Version that this build speaks, carried in every request. */
    int VERSION = 1;
}
