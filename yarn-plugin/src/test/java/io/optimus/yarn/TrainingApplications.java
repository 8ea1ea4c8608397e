package io.optimus.yarn;

import io.optimus.yarn.jobs.Applications;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** Submits applications of the type of training jobs to queue default, as this process's user. */
public final class TrainingApplications {
    private TrainingApplications() {}

    /**
     * Submits one.
     *
     * @param unmanaged whether its ApplicationMaster runs outside of YARN
     */
    public static ApplicationId submit(ResourceManager resourceManager, String name, boolean unmanaged)
            throws Exception {
        ApplicationId id = resourceManager
                .getClientRMService()
                .getNewApplication(GetNewApplicationRequest.newInstance())
                .getApplicationId();
        ContainerLaunchContext master =
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of("true"), Map.of(), null, Map.of());
        resourceManager
                .getClientRMService()
                .submitApplication(SubmitApplicationRequest.newInstance(ApplicationSubmissionContext.newInstance(
                        id,
                        name,
                        "default",
                        Priority.newInstance(0),
                        master,
                        unmanaged,
                        false,
                        1,
                        Resource.newInstance(1024, 1),
                        Applications.TRAINING_TYPE)));
        return id;
    }
}
