package io.optimus.yarn.service;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingPolicyProvider;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.TrainingProtocolService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RPC server of {@link TrainingProtocol}; it accepts only callers with an AMRM token of this ResourceManager. */
public final class TrainingServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingServer.class);
    /** A report holds a few hundred numbers; larger requests are refused before they are read. */
    private static final int LARGEST_REQUEST_BYTES = 4 << 20;

    private static final long CLOSING_MILLIS = 2_000;
    private static final long CLOSING_LOOK_MILLIS = 5;

    private final Server server;
    private final InetSocketAddress listener;
    private final InetSocketAddress address;

    private TrainingServer(Server server, InetSocketAddress listener, InetSocketAddress address) {
        this.server = server;
        this.listener = listener;
        this.address = address;
    }

    /**
     * Starts the server, and publishes its address in {@code configuration} ({@link TrainingAddress}).
     *
     * @param handlers threads that answer calls
     * @throws IOException if it cannot listen at its address; the message names the key to set
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
        InetSocketAddress bind = TrainingAddress.toBind(configuration);
        Server server = listening(
                () -> new TrainingRpcEngine()
                        .server(
                                TrainingProtocolService.newReflectiveBlockingService(protocol),
                                bind,
                                handlers,
                                own,
                                tokens),
                bind,
                TrainingAddress.ownKey(configuration));
        // Hadoop would log each refusal with its stack; the service itself logs what is worth a line.
        server.addSuppressedLoggingExceptions(TrainingRefusedException.class);
        readAcl(server, own);
        server.start();
        InetSocketAddress listener = server.getListenerAddress();
        return new TrainingServer(server, listener, TrainingAddress.publish(configuration, listener));
    }

    /** Makes a server, which listens from then on. */
    @FunctionalInterface
    private interface Listening {
        Server begin() throws IOException;
    }

    private static Server listening(Listening listening, InetSocketAddress bind, String key) throws IOException {
        try {
            return listening.begin();
        } catch (IOException e) {
            throw new IOException(
                    "The training service cannot listen at " + NetUtils.getHostPortString(bind) + ": " + e.getMessage()
                            + ". Remedy: set " + key + "=HOST:PORT to a free port of this host, here and where jobs are"
                            + " submitted; or end what listens there.",
                    e);
        }
    }

    /** Reads the ACL of the service again, from {@code configuration} and hadoop-policy.xml. */
    public void refreshAcl(Configuration configuration) {
        readAcl(server, configuration);
    }

    private static void readAcl(Server server, Configuration configuration) {
        if (configuration.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
            server.refreshServiceAcl(configuration, new TrainingPolicyProvider());
        }
    }

    /** The address that clients connect to. */
    public InetSocketAddress address() {
        return address;
    }

    /** Stops the server and waits until its port is free: the next active scheduler listens at the same port. */
    @Override
    public void close() {
        server.stop();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSING_MILLIS);
        try {
            // Hadoop's server closes its socket on its own thread, some time after stop has returned.
            while (!isFree(listener)) {
                if (System.nanoTime() > end) {
                    LOG.warn("training service stopped, but something still listens at address={}", listener);
                    return;
                }
                Thread.sleep(CLOSING_LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isFree(InetSocketAddress address) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
