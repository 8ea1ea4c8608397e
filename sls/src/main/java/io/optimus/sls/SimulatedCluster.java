package io.optimus.sls;

import io.optimus.sls.applications.SimulatedApplication;
import java.io.IOException;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.sls.RMRunner;
import org.apache.hadoop.yarn.sls.SLSRunner;
import org.apache.hadoop.yarn.sls.appmaster.AMSimulator;
import org.apache.hadoop.yarn.sls.conf.SLSConfiguration;
import org.apache.hadoop.yarn.sls.nodemanager.NMSimulator;
import org.apache.hadoop.yarn.sls.scheduler.TaskRunner;
import org.apache.hadoop.yarn.sls.utils.SLSUtils;

/**
 * A real ResourceManager with SLS's simulated nodes and ApplicationMasters.
 *
 * <p>It takes the place of SLS's runner, which the simulators ask for nodes and applications, and starts them itself: {@code
 * package-info} says why.
 */
final class SimulatedCluster extends SLSRunner {
    private static final int NODES_PER_RACK = 40;
    private static final int HEARTBEAT_MILLIS = SLSConfiguration.NM_HEARTBEAT_INTERVAL_MS_DEFAULT;
    private static final float UTILIZATION_NOT_REPORTED = -1;
    private static final long LOOK_MILLIS = 10;
    private static final int LOOKS = 1_000;

    private final TaskRunner simulators = new TaskRunner();
    private final RMRunner runner;
    private final Map<NodeId, NMSimulator> nodes = new ConcurrentHashMap<>();
    private final Map<ApplicationId, AMSimulator> applications = new ConcurrentHashMap<>();

    private SimulatedCluster(Configuration conf) throws ClassNotFoundException, YarnException {
        super(conf);
        this.runner = new RMRunner(conf, this);
        simulators.setQueueSize(conf.getInt(SLSConfiguration.RUNNER_POOL_SIZE, 1));
    }

    /** Starts the ResourceManager and {@code count} nodes, and waits until it knows all of them. */
    static SimulatedCluster start(Configuration conf, int count, Path folder)
            throws ClassNotFoundException, YarnException, IOException, InterruptedException {
        if (conf.getBoolean(SLSConfiguration.DNS_CACHING_ENABLED, false)) {
            Security.setProperty(NETWORK_CACHE_TTL, "-1");
        }
        SimulatedCluster cluster = new SimulatedCluster(conf);
        cluster.startNodes(count, folder);
        return cluster;
    }

    private void startNodes(int count, Path folder)
            throws ClassNotFoundException, YarnException, IOException, InterruptedException {
        Set<NodeDetails> all = SLSUtils.generateNodes(count, (count + NODES_PER_RACK - 1) / NODES_PER_RACK);
        String racks = folder.resolve("racks.txt").toString();
        SLSUtils.generateNodeTableMapping(all, racks);
        runner.setTableMapping(racks);
        runner.setMetricsOutputDir(folder.toString());
        runner.startRM();
        simulators.start();
        List<String> names = new ArrayList<>(
                all.stream().map(NodeDetails::getHostname).sorted().toList());
        Random dispatch = new Random(1);
        for (String name : names) {
            NMSimulator node = new NMSimulator();
            node.init(
                    name,
                    capacity(),
                    dispatch.nextInt(HEARTBEAT_MILLIS),
                    HEARTBEAT_MILLIS,
                    resourceManager(),
                    UTILIZATION_NOT_REPORTED);
            nodes.put(node.getNode().getNodeID(), node);
            simulators.schedule(node);
        }
        // The process that started this JVM ends it if the nodes never come up.
        while (running() < count) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private long running() {
        return resourceManager().getRMContext().getRMNodes().values().stream()
                .filter(node -> node.getState() == NodeState.RUNNING)
                .count();
    }

    private static Resource capacity() {
        Resource capacity = Resource.newInstance(131_072, 48);
        capacity.setResourceValue("yarn.io/gpu", Workload.GPUS_PER_NODE);
        return capacity;
    }

    /** Submits {@code application} after a delay. */
    void submit(SimulatedApplication application, String queue, String user, long delayMillis) {
        application.init(
                new Submission(queue, user, delayMillis).definition(),
                resourceManager(),
                this,
                false,
                0,
                HEARTBEAT_MILLIS,
                applications);
        simulators.schedule(application);
    }

    ResourceManager resourceManager() {
        return runner.getRm();
    }

    @Override
    public Map<NodeId, NMSimulator> getNmMap() {
        return nodes;
    }

    /** The simulator of an application. It notes its id only after it has submitted, so the ResourceManager may be faster. */
    @Override
    public AMSimulator getAMSimulatorByAppId(ApplicationId id) {
        for (int look = 0; look < LOOKS; look++) {
            AMSimulator known = applications.get(id);
            if (known != null) {
                return known;
            }
            sleep();
        }
        throw new IllegalStateException(id + " was submitted by no simulator");
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() throws InterruptedException {
        simulators.stop();
        runner.stop();
    }
}
