package io.optimus.sls;

import io.optimus.sls.measure.SchedulerRecord;
import io.optimus.yarn.configuration.OptimusConfiguration;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.NullGroupsMapping;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.sls.conf.SLSConfiguration;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;

/** The configuration of the measured ResourceManager: the defaults of YARN and of OptimusScheduler, but for what is set here. */
final class ClusterConfiguration {
    static final String POLICY = OptimusConfiguration.PREFIX + "policy";
    static final String TRAINING_QUEUE = "root." + SchedulerRecord.TRAINING_QUEUE;
    static final String ORDINARY_QUEUE = "root.ordinary";

    private static final String CAPACITY = "yarn.scheduler.capacity.";
    /** Threads of the simulators; most of their time they wait. */
    private static final int SIMULATOR_THREADS = 10;

    private ClusterConfiguration() {}

    static Configuration of(RunSettings run, Path folder) {
        Configuration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, run.side().schedulerClass());
        conf.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        conf.set(POLICY, run.workload().policy());
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:0");
        }
        conf.set("hadoop.tmp.dir", folder.toString());
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                folder.resolve("attributes").toUri().toString());
        // Else YARN starts a program for each application, to look up the groups of its user.
        conf.setClass(
                CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUP_MAPPING,
                NullGroupsMapping.class,
                NullGroupsMapping.class);
        setQueues(conf);
        setSimulation(conf);
        return conf;
    }

    private static void setQueues(Configuration conf) {
        conf.set(CAPACITY + "resource-calculator", DominantResourceCalculator.class.getName());
        conf.set(CAPACITY + "maximum-applications", "100000");
        conf.set(CAPACITY + "maximum-am-resource-percent", "1.0");
        conf.set(CAPACITY + "per-node-heartbeat.maximum-container-assignments", "100");
        // The default of 1 would limit both sides to one ordinary container a heartbeat.
        conf.set(CAPACITY + "per-node-heartbeat.maximum-offswitch-assignments", "10");
        conf.set(CAPACITY + "root.queues", SchedulerRecord.TRAINING_QUEUE + ",ordinary");
        for (String queue : List.of(TRAINING_QUEUE, ORDINARY_QUEUE)) {
            conf.set(CAPACITY + queue + ".capacity", "50");
            conf.set(CAPACITY + queue + ".maximum-capacity", "100");
            conf.set(CAPACITY + queue + ".user-limit-factor", "100");
        }
    }

    private static void setSimulation(Configuration conf) {
        conf.setBoolean(SLSConfiguration.METRICS_SWITCH, false);
        conf.setBoolean(SLSConfiguration.DNS_CACHING_ENABLED, true);
        conf.setInt(SLSConfiguration.RUNNER_POOL_SIZE, SIMULATOR_THREADS);
    }
}
