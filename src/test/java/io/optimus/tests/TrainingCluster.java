package io.optimus.tests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;
import org.junit.rules.ExternalResource;

/** A YARN cluster inside this JVM whose ResourceManager runs OptimusScheduler, with rounds of 1 s and nodes with GPUs. */
final class TrainingCluster extends ExternalResource implements Cluster {
    /** Memory of each node. */
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

    /** Sets a property of the configuration; overrides the value that the cluster would have. */
    TrainingCluster set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /**
     * Makes NodeManagers call over RPC, so that they find a restarted ResourceManager. Otherwise NodeManagers of
     * MiniYARNCluster keep calling the Java object of the first one.
     */
    TrainingCluster withCallsOverRpc() {
        set("yarn.minicluster.use-rpc", "true");
        set("yarn.minicluster.fixed.ports", "true");
        for (String key : List.of(
                YarnConfiguration.NM_ADDRESS,
                YarnConfiguration.NM_LOCALIZER_ADDRESS,
                YarnConfiguration.NM_WEBAPP_ADDRESS,
                YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS)) {
            set(key, "localhost:0");
        }
        List<String> fixed = List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS);
        List<Integer> ports = freePorts(fixed.size());
        for (int i = 0; i < fixed.size(); i++) {
            set(fixed.get(i), "localhost:" + ports.get(i));
        }
        return this;
    }

    /**
     * Ports on which no process listens now. They are below the range from which the kernel assigns ports, so that no other
     * process gets one of them before the daemons listen there.
     */
    static List<Integer> freePorts(int count) {
        Set<Integer> free = new TreeSet<>();
        while (free.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                free.add(socket.getLocalPort());
            } catch (IOException taken) {
                // Another one is tried.
            }
        }
        return List.copyOf(free);
    }

    @Override
    protected void before() throws Throwable {
        FileUtil.fullyDelete(folder().toFile());
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

    /** Writes the files by which containers and commands find the cluster. */
    void writeConfiguration() throws IOException {
        for (String file : List.of("core-site.xml", "yarn-site.xml")) {
            try (OutputStream out = Files.newOutputStream(configurationFolder().resolve(file))) {
                conf().writeXml(out);
            }
        }
    }

    @Override
    public Path configurationFolder() throws IOException {
        return Files.createDirectories(folder().resolve("conf"));
    }

    @Override
    protected void after() {
        if (client != null) {
            client.stop();
        }
        if (cluster != null) {
            stopNodes();
            cluster.stop();
        }
    }

    /** Stops all nodes at once, because a node that ran containers takes seconds to stop. */
    private void stopNodes() {
        List<CompletableFuture<Void>> stopping = IntStream.range(0, nodes)
                .mapToObj(cluster::getNodeManager)
                .map(node -> CompletableFuture.runAsync(node::stop, command -> new Thread(command).start()))
                .toList();
        stopping.forEach(CompletableFuture::join);
    }

    /** The class path of this JVM, with Hadoop's jars. */
    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** {@code target/NAME}. */
    @Override
    public Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
    }

    /** What the containers of an application have written to their logs so far, a text for each file. */
    List<String> logs(ApplicationId application) throws IOException {
        List<String> logs = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            String folder = cluster.getNodeManager(node).getConfig().get(YarnConfiguration.NM_LOG_DIRS);
            Path ofApplication = Path.of(folder, application.toString());
            if (Files.exists(ofApplication)) {
                try (Stream<Path> files = Files.walk(ofApplication)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        logs.add(Files.readString(file, StandardCharsets.ISO_8859_1));
                    }
                }
            }
        }
        return logs;
    }

    /** The configuration of the daemons, clients and ApplicationMasters. */
    Configuration conf() {
        return cluster.getConfig();
    }

    @Override
    public YarnClient client() {
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

    /** The number of live containers of an application, with that of its ApplicationMaster, as the scheduler counts them. */
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

    /** The plan, as {@code GET /ws/v1/optimus/plan} shows it. */
    JsonNode plan() throws IOException {
        URL url = new URL(WebAppUtils.getRMWebAppURLWithScheme(conf()) + "/ws/v1/optimus/plan");
        return new ObjectMapper().readTree(url);
    }

    private Configuration configuration() throws IOException {
        YarnConfiguration conf = new YarnConfiguration();
        Path home = Files.createDirectories(folder().resolve("home"));
        conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "file:///");
        conf.set("yarn.optimus.staging-dir", home.toUri().toString());
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                folder().resolve("node-attributes").toUri().toString());
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
        // As on a real cluster, a process that takes more real or virtual memory than its container has is killed.
        conf.setBoolean(YarnConfiguration.YARN_MINICLUSTER_CONTROL_RESOURCE_MONITORING, true);
        conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 99.5f);
        // The files of a job are deleted after a minute. By default its logs stay for three hours, and a NodeManager
        // that stops waits ten seconds for each such deletion.
        conf.setLong(YarnConfiguration.NM_LOG_RETAIN_SECONDS, 0);
        conf.setLong(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 60);
        conf.set("yarn.http.rmwebapp.external.classes", "io.optimus.yarn.web.OptimusResource");
        conf.set("yarn.resourcemanager.optimus.address", "localhost:0");
        conf.set("yarn.scheduler.optimus.round-interval", "1s");
        conf.set("yarn.scheduler.optimus.round-gap", "100ms");
        conf.set("yarn.scheduler.optimus.report-interval", "200ms");
        // The processes of containers live for seconds: the second compiler would cost more than it saves.
        conf.set(
                YarnConfiguration.NM_ADMIN_USER_ENV,
                "MALLOC_ARENA_MAX=$MALLOC_ARENA_MAX,JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1");
        conf.set(
                "yarn.application.classpath",
                configurationFolder() + "," + classPath().replace(':', ','));
        conf.set("yarn.resourcemanager.placement-constraints.handler", "scheduler");
        conf.set(
                YarnConfiguration.FS_RM_STATE_STORE_URI,
                folder().resolve("state").toUri().toString());
        settings.forEach(conf::set);
        return conf;
    }
}
