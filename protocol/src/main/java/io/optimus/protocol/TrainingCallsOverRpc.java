package io.optimus.protocol;

import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Calls one ResourceManager by protobuf, and restores the types of the server's exceptions. */
final class TrainingCallsOverRpc implements TrainingCalls, Closeable {
    private final TrainingProtocol rpc;

    private TrainingCallsOverRpc(TrainingProtocol rpc) {
        this.rpc = rpc;
    }

    /** Creates a proxy that connects with the first call. */
    static TrainingCallsOverRpc at(InetSocketAddress address, UserGroupInformation caller, Configuration configuration)
            throws IOException {
        RPC.setProtocolEngine(configuration, TrainingProtocol.class, ProtobufRpcEngine2.class);
        TrainingProtocol rpc = RPC.getProtocolProxy(
                        TrainingProtocol.class,
                        RPC.getProtocolVersion(TrainingProtocol.class),
                        address,
                        caller,
                        configuration,
                        NetUtils.getDefaultSocketFactory(configuration),
                        RPC.getRpcTimeout(configuration),
                        RetryPolicies.TRY_ONCE_THEN_FAIL)
                .getProxy();
        return new TrainingCallsOverRpc(rpc);
    }

    @Override
    public RegisterJobResponseProto registerJob(RegisterJobRequestProto request) throws IOException {
        return call(() -> rpc.registerJob(null, request));
    }

    @Override
    public ReportResponseProto report(ReportRequestProto request) throws IOException {
        return call(() -> rpc.report(null, request));
    }

    @Override
    public FinishJobResponseProto finishJob(FinishJobRequestProto request) throws IOException {
        return call(() -> rpc.finishJob(null, request));
    }

    @Override
    public void close() {
        RPC.stopProxy(rpc);
    }

    private static <T> T call(Call<T> call) throws IOException {
        try {
            return call.send();
        } catch (ServiceException e) {
            throw unwrapped(e);
        }
    }

    private static IOException unwrapped(ServiceException wrapper) {
        if (!(wrapper.getCause() instanceof IOException cause)) {
            return new IOException(wrapper);
        }
        IOException origin = cause instanceof RemoteException remote ? typed(remote) : cause;
        if (origin instanceof RpcNoSuchProtocolException) {
            return refused(Reason.NOT_SERVED, "what listens there is not an Optimus scheduler", origin);
        }
        if (origin instanceof AccessControlException
                || origin instanceof AuthorizationException
                || origin instanceof SaslException
                || origin instanceof InvalidToken) {
            return refused(Reason.TOKEN, "the AMRM token of this attempt is not accepted", origin);
        }
        return origin;
    }

    private static IOException typed(RemoteException remote) {
        return remote.unwrapRemoteException(
                TrainingRefusedException.class,
                StandbyException.class,
                RpcNoSuchProtocolException.class,
                AccessControlException.class,
                AuthorizationException.class,
                SaslException.class,
                InvalidToken.class);
    }

    private static TrainingRefusedException refused(Reason reason, String what, IOException cause) {
        TrainingRefusedException refused = new TrainingRefusedException(reason, what + ": " + cause.getMessage());
        refused.initCause(cause);
        return refused;
    }

    private interface Call<T> {
        T send() throws ServiceException;
    }
}
