package io.optimus.yarn.service;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingPolicyProvider;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.TrainingProtocolService;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** The RPC server of {@link TrainingProtocol}: lets in holders of an AMRM token of this ResourceManager, nobody else. */
public final class TrainingServer implements AutoCloseable {
    /** A report holds a few hundred numbers; what is larger is refused before it is read. */
    private static final int LARGEST_REQUEST_BYTES = 4 << 20;

    private final Server server;
    private final InetSocketAddress address;

    private TrainingServer(Server server, InetSocketAddress address) {
        this.server = server;
        this.address = address;
    }

    /**
     * Starts it, and publishes the address in {@code configuration} ({@link TrainingAddress}).
     *
     * @param handlers threads that answer calls
     */
    public static TrainingServer start(
            Configuration configuration,
            TrainingProtocol protocol,
            SecretManager<AMRMTokenIdentifier> tokens,
            int handlers)
            throws IOException {
        Configuration own = new Configuration(configuration);
        own.set(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION, AuthMethod.TOKEN.toString());
        own.setInt(CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH, LARGEST_REQUEST_BYTES);
        RPC.setProtocolEngine(own, TrainingProtocol.class, ProtobufRpcEngine2.class);
        InetSocketAddress bind = TrainingAddress.toBind(configuration);
        Server server = new RPC.Builder(own)
                .setProtocol(TrainingProtocol.class)
                .setInstance(TrainingProtocolService.newReflectiveBlockingService(protocol))
                .setBindAddress(bind.getHostString())
                .setPort(bind.getPort())
                .setNumHandlers(handlers)
                .setSecretManager(tokens)
                .build();
        readAcl(server, own);
        server.start();
        return new TrainingServer(server, TrainingAddress.publish(configuration, server.getListenerAddress()));
    }

    /** Reads anew who may connect at all, from {@code configuration} and hadoop-policy.xml. */
    public void refreshAcl(Configuration configuration) {
        readAcl(server, configuration);
    }

    private static void readAcl(Server server, Configuration configuration) {
        if (configuration.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
            server.refreshServiceAcl(configuration, new TrainingPolicyProvider());
        }
    }

    /** Where clients connect to. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        server.stop();
    }
}
