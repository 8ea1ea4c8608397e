package io.optimus.am.client.cluster;

import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;

/** What the command asks of YARN. Every call fails with an IOException that says what YARN said. */
public interface ClusterClient extends AutoCloseable {
    /**
     * A number for a job to be submitted; nothing remains of it where none is.
     *
     * @param id the application's
     * @param largest the largest container that the cluster grants, with every resource that it counts, zeros too
     */
    public record Slot(ApplicationId id, LargestContainer largest) {}

    /**
     * The largest container.
     *
     * @param names of all resources that the cluster counts
     * @param amounts of each in the largest container
     */
    record LargestContainer(List<String> names, Resources amounts) {}

    /** A new one. */
    Slot newApplication() throws IOException;

    /** All queues as the user sees them; none where the cluster's scheduler has no fixed ones. */
    List<ClusterQueue> queues() throws IOException;

    /** Hands a job over; returns when YARN has taken it. */
    void submit(ApplicationSubmissionContext context) throws IOException;

    /** One application, ended ones too as long as YARN remembers them. */
    Optional<ApplicationSummary> find(String id) throws IOException;

    /** All training jobs that YARN remembers, oldest first. */
    List<ApplicationSummary> trainings() throws IOException;

    /** Ends an application; returns when it has ended. */
    void kill(String id) throws IOException;

    @Override
    void close();
}
