package io.optimus.am.client.cluster;

import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;

/** What the commands ask of YARN. Every call throws an IOException with YARN's message if it fails. */
public interface ClusterClient extends AutoCloseable {
    /** The application type of every training job. */
    String TRAINING_TYPE = "OPTIMUS";

    /**
     * An application that may be submitted; YARN forgets it if it is not.
     *
     * @param id the application's id
     * @param largest the largest container that the cluster grants
     */
    record NewApplication(ApplicationId id, LargestContainer largest) {}

    /**
     * The largest container.
     *
     * @param names all resources that the cluster counts
     * @param amounts how much of each the largest container has
     */
    record LargestContainer(List<String> names, Resources amounts) {}

    /**
     * A queue of the cluster as the user sees it.
     *
     * @param path from the root on, as {@code root.research.vision}
     * @param leaf whether jobs run in it, rather than in queues below it
     * @param state YARN's word: {@code RUNNING}, {@code STOPPED}, {@code DRAINING}
     * @param maySubmit whether the user may submit to it
     */
    record ClusterQueue(String path, boolean leaf, String state, boolean maySubmit) {
        /** Whether {@code name}, a path or its last word, means this queue. */
        boolean isNamed(String name) {
            return path.equals(name) || path.endsWith("." + name);
        }

        boolean takesJobs() {
            return leaf && state.equals("RUNNING") && maySubmit;
        }
    }

    /** Asks YARN for a new application. */
    NewApplication newApplication() throws IOException;

    /** All queues as the user sees them; none if the scheduler of the cluster has no fixed queues. */
    List<ClusterQueue> queues() throws IOException;

    /** Submits a job; returns when YARN has accepted it. */
    void submit(ApplicationSubmissionContext context) throws IOException;

    /** One application; YARN remembers an ended one for a while. */
    Optional<ApplicationSummary> find(String id) throws IOException;

    /** All training jobs that YARN remembers, oldest first. */
    List<ApplicationSummary> trainingJobs() throws IOException;

    /**
     * The container of one ApplicationMaster of a job.
     *
     * @param attempt its number, from 1
     * @param container YARN's id
     * @param node YARN's id of its node; empty where YARN has forgotten it
     * @param address the web address of its NodeManager, with the scheme; empty as {@code node}
     */
    record MasterContainer(int attempt, String container, String node, String address) {}

    /** The containers of a job's ApplicationMasters, the first attempt's first. */
    List<MasterContainer> masters(String id) throws IOException;

    /** The web addresses of the NodeManagers that run, with the scheme, by YARN's id of the node. */
    Map<String, String> nodeAddresses() throws IOException;

    /** Sets the priority of an application in its queue; returns the one that YARN admitted, which may be lower. */
    int setPriority(String id, int priority) throws IOException;

    /** Ends an application; returns when it has ended. */
    void kill(String id) throws IOException;

    @Override
    void close();
}
