package io.optimus.yarn.service;

import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.TrainingProtocolService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * Makes servers of {@link TrainingProtocol} that answer every call which is none of the protocol, or which cannot be read, with
 * a {@link TrainingRefusedException}. Hadoop's own servers log such calls with the names that the caller sent, as they came.
 */
final class TrainingRpcEngine extends ProtobufRpcEngine2 {
    /** Hadoop's server takes the number from the configuration. */
    private static final int BY_CONFIGURATION = -1;

    /** A server that is not started yet. */
    RPC.Server server(
            BlockingService service,
            InetSocketAddress bind,
            int handlers,
            Configuration configuration,
            SecretManager<AMRMTokenIdentifier> tokens)
            throws IOException {
        return new Refusing(service, bind, handlers, configuration, tokens);
    }

    private static final class Refusing extends Server {
        private final Set<String> calls;

        Refusing(
                BlockingService service,
                InetSocketAddress bind,
                int handlers,
                Configuration configuration,
                SecretManager<AMRMTokenIdentifier> tokens)
                throws IOException {
            super(
                    TrainingProtocol.class,
                    service,
                    configuration,
                    bind.getHostString(),
                    bind.getPort(),
                    handlers,
                    BY_CONFIGURATION,
                    BY_CONFIGURATION,
                    false,
                    tokens,
                    null,
                    null);
            String protocol = RPC.getProtocolName(TrainingProtocol.class);
            this.calls = TrainingProtocolService.getDescriptor().getMethods().stream()
                    .map(MethodDescriptor::getName)
                    .map(method -> protocol + "." + method)
                    .collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public Writable call(RPC.RpcKind kind, String connectionProtocol, Writable request, long receivedMillis)
                throws Exception {
            if (kind != RPC.RpcKind.RPC_PROTOCOL_BUFFER || !calls.contains(nameOf(request))) {
                throw new TrainingRefusedException(
                        Reason.INVALID_REQUEST, "there is no such call. Remedy: call with the optimus-am.jar of a job");
            }
            try {
                return super.call(kind, connectionProtocol, request, receivedMillis);
            } catch (TrainingRefusedException e) {
                throw e;
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        /** The names of the protocol and the method; empty if they cannot be read. */
        private static String nameOf(Writable request) {
            try {
                return request.toString();
            } catch (RuntimeException e) {
                return "";
            }
        }

        private static TrainingRefusedException unreadable(IOException cause) {
            TrainingRefusedException refused = new TrainingRefusedException(
                    Reason.INVALID_REQUEST,
                    "the call cannot be read: " + cause.getMessage()
                            + ". Remedy: submit with the optimus-am.jar of this release");
            refused.initCause(cause);
            return refused;
        }
    }
}
