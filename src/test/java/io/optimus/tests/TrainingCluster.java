package io.optimus.tests;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.junit.rules.ExternalResource;

/** A YARN inside this JVM whose ResourceManager runs OptimusScheduler: rounds of a second, nodes with GPUs. */
final class TrainingCluster extends ExternalResource {
    /** Of each node. */
    static final int MEMORY_MB = 16_384;

    private final String name;
    private final int nodes;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private MiniYARNCluster cluster;
    private YarnClient client;

    TrainingCluster(String name, int nodes, int gpusPerNode) {
        this.name = name;
        this.nodes = nodes;
        set("yarn.nodemanager.resource-type.yarn.io/gpu", String.valueOf(gpusPerNode));
    }

    /** With this property, in place of what the cluster would have. */
    TrainingCluster set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    @Override
    protected void before() throws Throwable {
        Configuration conf = configuration();
        ResourceUtils.resetResourceTypes(conf);
        cluster = new MiniYARNCluster(name, nodes, 1, 1);
        cluster.init(conf);
        cluster.start();
        writeConfiguration();
        client = YarnClient.createYarnClient();
        client.init(cluster.getConfig());
        client.start();
        Await.until(
                "all nodes register",
                () -> resourceManager().getResourceScheduler().getNumClusterNodes() == nodes);
    }

    /** As an administrator would: containers and commands find the cluster by the files in this folder. */
    void writeConfiguration() throws IOException {
        for (String file : List.of("core-site.xml", "yarn-site.xml")) {
            try (OutputStream out = Files.newOutputStream(configurationFolder().resolve(file))) {
                conf().writeXml(out);
            }
        }
    }

    /** Holds core-site.xml and yarn-site.xml. */
    Path configurationFolder() throws IOException {
        return Files.createDirectories(folder().resolve("conf"));
    }

    @Override
    protected void after() {
        if (client != null) {
            client.stop();
        }
        if (cluster != null) {
            cluster.stop();
        }
    }

    /** Class path of this JVM: Hadoop's jars among others. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Where this cluster's jobs leave their files. */
    Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
    }

    /** What daemons, clients and ApplicationMasters of this cluster are configured with. */
    Configuration conf() {
        return cluster.getConfig();
    }

    YarnClient client() {
        return client;
    }

    ResourceManager resourceManager() {
        return cluster.getResourceManager();
    }

    MiniYARNCluster mini() {
        return cluster;
    }

    CapacityScheduler scheduler() {
        return (CapacityScheduler) resourceManager().getResourceScheduler();
    }

    /** Live containers of an application as the scheduler counts them, its ApplicationMaster's included. */
    int containersOf(ApplicationId application) {
        return scheduler()
                .getApplicationAttempt(scheduler()
                        .getSchedulerApplications()
                        .get(application)
                        .getCurrentAppAttempt()
                        .getApplicationAttemptId())
                .getLiveContainers()
                .size();
    }

    private Configuration configuration() throws IOException {
        YarnConfiguration conf = new YarnConfiguration();
        Path home = Files.createDirectories(folder().resolve("home"));
        conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "file:///");
        conf.set("yarn.optimus.staging-dir", home.toUri().toString());
        conf.set(YarnConfiguration.RM_SCHEDULER, "io.optimus.yarn.OptimusScheduler");
        conf.set("yarn.resource-types", "yarn.io/gpu");
        conf.set(
                "yarn.scheduler.capacity.resource-calculator",
                "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        conf.set("yarn.scheduler.capacity.root.default.user-limit-factor", "100");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        conf.set("yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled", "true");
        conf.set("yarn.scheduler.include-port-in-node-name", "true");
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 64);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, MEMORY_MB);
        conf.setInt(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 100);
        conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, MEMORY_MB);
        conf.setInt(YarnConfiguration.NM_VCORES, 16);
        conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
        conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.5f);
        conf.set("yarn.resourcemanager.optimus.address", "localhost:0");
        conf.set("yarn.scheduler.optimus.round-interval", "1s");
        conf.set("yarn.scheduler.optimus.round-gap", "100ms");
        conf.set("yarn.scheduler.optimus.report-interval", "200ms");
        conf.set(
                "yarn.application.classpath",
                configurationFolder() + "," + classPath().replace(':', ','));
        conf.set("yarn.resourcemanager.placement-constraints.handler", "scheduler");
        settings.forEach(conf::set);
        return conf;
    }
}
