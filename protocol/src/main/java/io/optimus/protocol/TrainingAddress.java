package io.optimus.protocol;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The address of the training service, by one rule for the scheduler that serves it and the ApplicationMaster that calls it.
 *
 * <ol>
 *   <li>The value of {@value #ADDRESS} ({@code host:port}; with ResourceManager high availability first
 *       {@value #ADDRESS}{@code .RM-ID});
 *   <li>otherwise the host of {@code yarn.resourcemanager.scheduler.address[.RM-ID]} (which in turn follows
 *       {@code yarn.resourcemanager.hostname}) and port {@value #DEFAULT_PORT}; where that address has port 0, as in a
 *       MiniYARNCluster, port 0.
 * </ol>
 *
 * <p>Port 0 binds to any free port and is only for clusters inside one JVM. As YARN's own services do, the scheduler
 * writes the port into its configuration object, where other code that shares the object finds it. So does the
 * scheduler itself when it becomes active again. Daemons need a fixed port, so that ApplicationMasters find the service
 * again after a restart.
 */
public final class TrainingAddress {
    /** Key of the address that ApplicationMasters connect to. */
    public static final String ADDRESS = "yarn.resourcemanager.optimus.address";
    /** Key of the host to bind to; defaults to {@code yarn.resourcemanager.bind-host}, else the address. */
    public static final String BIND_HOST = "yarn.resourcemanager.optimus.bind-host";
    /** Next to the ports of YARN's own ResourceManager services (8030 to 8033). */
    public static final int DEFAULT_PORT = 8034;

    /** Source of a value that {@link #publish} wrote, as {@link Configuration#getPropertySources} names it. */
    private static final String PUBLISHED = "training service";

    private TrainingAddress() {}

    /** The addresses that clients connect to, one for each ResourceManager, in the order of the rm-ids. */
    public static List<InetSocketAddress> ofAll(Configuration configuration) {
        if (!HAUtil.isHAEnabled(configuration)) {
            return List.of(connectAddress(configuration, ""));
        }
        return HAUtil.getRMHAIds(configuration).stream()
                .map(id -> connectAddress(configuration, "." + id))
                .toList();
    }

    /** The address that the ResourceManager with this configuration listens at. */
    public static InetSocketAddress toBind(Configuration configuration) {
        String suffix = ownSuffix(configuration);
        InetSocketAddress address = connectAddress(configuration, suffix);
        String host = value(
                configuration,
                BIND_HOST,
                suffix,
                configuration.getTrimmed(YarnConfiguration.RM_BIND_HOST, address.getHostString()));
        return NetUtils.createSocketAddr(host, address.getPort(), BIND_HOST);
    }

    /** The key of the address that the ResourceManager with this configuration listens at. */
    public static String ownKey(Configuration configuration) {
        return ADDRESS + ownSuffix(configuration);
    }

    /** Whether an administrator chose the address of the ResourceManager with this configuration. */
    public static boolean isChosen(Configuration configuration) {
        return Stream.of(ownKey(configuration), ADDRESS)
                .filter(key -> !configuration.getTrimmed(key, "").isEmpty())
                .findFirst()
                .filter(key -> !isPublished(configuration, key))
                .isPresent();
    }

    /**
     * Writes the service's address into the configuration for other code that shares it, unless the address already
     * follows from its keys.
     *
     * @return the address that clients connect to
     */
    public static InetSocketAddress publish(Configuration configuration, InetSocketAddress listener) {
        InetSocketAddress known = connectAddress(configuration, ownSuffix(configuration));
        InetSocketAddress address =
                NetUtils.getConnectAddress(NetUtils.createSocketAddrForHost(known.getHostString(), listener.getPort()));
        if (known.getPort() != listener.getPort()) {
            configuration.set(ownKey(configuration), NetUtils.getHostPortString(address), PUBLISHED);
        }
        return address;
    }

    private static boolean isPublished(Configuration configuration, String key) {
        String[] sources = configuration.getPropertySources(key);
        return sources != null && List.of(sources).contains(PUBLISHED);
    }

    private static InetSocketAddress connectAddress(Configuration configuration, String suffix) {
        String configured = value(configuration, ADDRESS, suffix, "");
        if (!configured.isEmpty()) {
            return NetUtils.createSocketAddr(configured, DEFAULT_PORT, ADDRESS + suffix);
        }
        InetSocketAddress scheduler = schedulerAddress(configuration, suffix);
        return NetUtils.createSocketAddrForHost(scheduler.getHostString(), scheduler.getPort() == 0 ? 0 : DEFAULT_PORT);
    }

    private static InetSocketAddress schedulerAddress(Configuration configuration, String suffix) {
        String hostname = value(configuration, YarnConfiguration.RM_HOSTNAME, suffix, "0.0.0.0");
        return NetUtils.createSocketAddr(
                configuration.getTrimmed(YarnConfiguration.RM_SCHEDULER_ADDRESS + suffix, hostname),
                YarnConfiguration.DEFAULT_RM_SCHEDULER_PORT);
    }

    private static String value(Configuration configuration, String key, String suffix, String otherwise) {
        String own = suffix.isEmpty() ? "" : configuration.getTrimmed(key + suffix, "");
        return own.isEmpty() ? configuration.getTrimmed(key, otherwise) : own;
    }

    private static String ownSuffix(Configuration configuration) {
        return HAUtil.isHAEnabled(configuration) ? "." + HAUtil.getRMHAId(configuration) : "";
    }
}
