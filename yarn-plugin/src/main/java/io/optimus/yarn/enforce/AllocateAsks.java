package io.optimus.yarn.enforce;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.jspecify.annotations.Nullable;

/**
 * What an ApplicationMaster asks for in one allocate call; the very objects that YARN hands over.
 *
 * @param resources resource requests
 * @param scheduling scheduling requests; YARN hands over null for none
 * @param updates container updates
 */
public record AllocateAsks(
        List<ResourceRequest> resources, @Nullable List<SchedulingRequest> scheduling, ContainerUpdates updates) {}
