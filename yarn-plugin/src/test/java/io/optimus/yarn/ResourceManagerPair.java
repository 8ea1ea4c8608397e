package io.optimus.yarn;

import io.optimus.protocol.TrainingAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.FileSystemBasedConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.RefreshQueuesRequest;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.ApplicationMasterLauncher;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * ResourceManagers in this JVM that share one state store, {@code rm1} and {@code rm2}, on ephemeral ports and without web
 * pages. The test makes them active and standby; each becomes active with a new scheduler. YARN's files are in a folder, so
 * that queues can be refreshed.
 */
public final class ResourceManagerPair implements AutoCloseable {
    private static final StateChangeRequestInfo BY_HAND = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

    private final Path folder;
    private final Consumer<AMLauncherEvent> launcher;
    private final Configuration site;
    private final Map<String, ResourceManager> started = new LinkedHashMap<>();

    /**
     * A pair of which none is started.
     *
     * @param folder where YARN's files and the state store are; must exist
     * @param launcher is told of ApplicationMasters to start and to stop
     */
    public ResourceManagerPair(Path folder, Consumer<AMLauncherEvent> launcher) {
        DefaultMetricsSystem.setMiniClusterMode(true);
        this.folder = folder;
        this.launcher = launcher;
        this.site = site(folder.toUri().toString());
        ResourceUtils.resetResourceTypes(site);
    }

    /** YARN's configuration, which may be changed; it is read when one starts or becomes active, and when queues are refreshed. */
    public Configuration site() {
        return site;
    }

    /** Starts one as standby. */
    public ResourceManager start(String id) throws IOException {
        writeFiles();
        Configuration configuration = new YarnConfiguration();
        site.forEach(property -> configuration.set(property.getKey(), property.getValue()));
        configuration.set(YarnConfiguration.RM_HA_ID, id);
        ResourceManager resourceManager = new ResourceManager() {
            @Override
            protected void startWepApp() {}

            @Override
            protected ApplicationMasterLauncher createAMLauncher() {
                return new ApplicationMasterLauncher(getRMContext()) {
                    @Override
                    public synchronized void handle(AMLauncherEvent event) {
                        launcher.accept(event);
                    }
                };
            }
        };
        started.put(id, resourceManager);
        resourceManager.init(configuration);
        resourceManager.start();
        return resourceManager;
    }

    public static void becomeActive(ResourceManager resourceManager) throws Exception {
        resourceManager.getRMContext().getRMAdminService().transitionToActive(BY_HAND);
    }

    public static void becomeStandby(ResourceManager resourceManager) throws Exception {
        resourceManager.getRMContext().getRMAdminService().transitionToStandby(BY_HAND);
        forgetNodeBeans();
    }

    /** Hadoop never removes these beans, and with several ResourceManagers in a JVM each would hold another scheduler. */
    private static void forgetNodeBeans() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName bean :
                server.queryNames(new ObjectName("Hadoop:service=ResourceManager,name=RMNMInfo*"), null)) {
            server.unregisterMBean(bean);
        }
    }

    /** The active one, if there is one. */
    public Optional<ResourceManager> active() {
        return started.values().stream()
                .filter(one -> one.getRMContext().getHAServiceState() == HAServiceState.ACTIVE)
                .findFirst();
    }

    /** Makes the active one standby, and the other one active. */
    public void failOver() throws Exception {
        ResourceManager before = active().orElseThrow();
        becomeStandby(before);
        for (ResourceManager other : started.values()) {
            if (other != before) {
                becomeActive(other);
            }
        }
    }

    /** Reads the files again, as {@code yarn rmadmin -refreshQueues} does. */
    public void refreshQueues() throws Exception {
        writeFiles();
        active().orElseThrow().getRMContext().getRMAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
    }

    private void writeFiles() throws IOException {
        for (String name :
                List.of(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE, YarnConfiguration.CS_CONFIGURATION_FILE)) {
            try (OutputStream file = Files.newOutputStream(folder.resolve(name))) {
                site.writeXml(file);
            }
        }
    }

    @Override
    public void close() {
        started.values().forEach(ResourceManager::stop);
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }

    private static Configuration site(String root) {
        Configuration conf = new Configuration(false);
        conf.setClass(YarnConfiguration.RM_SCHEDULER, OptimusScheduler.class, OptimusScheduler.class);
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        for (String key : YarnConfiguration.getServiceAddressConfKeys(conf)) {
            conf.set(key + ".rm1", "localhost:0");
            conf.set(key + ".rm2", "localhost:0");
        }
        conf.set(TrainingAddress.ADDRESS + ".rm2", "localhost:1");
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.setClass(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class, FileSystemRMStateStore.class);
        conf.set(YarnConfiguration.FS_RM_STATE_STORE_URI, root + "state");
        conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, root + "attributes");
        conf.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        conf.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        // A ResourceManager that becomes active reads its configuration again, from files.
        conf.set(
                YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS,
                FileSystemBasedConfigurationProvider.class.getName());
        conf.set(YarnConfiguration.FS_BASED_RM_CONF_STORE, root);
        conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_BASE_MS, 10);
        conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_MAX_MS, 100);
        conf.set("yarn.scheduler.optimus.round-interval", "200ms");
        conf.set("yarn.scheduler.optimus.round-gap", "50ms");
        return conf;
    }
}
