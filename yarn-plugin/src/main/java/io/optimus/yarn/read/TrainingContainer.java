package io.optimus.yarn.read;

import io.optimus.model.cluster.Resources;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * A live container of a training application; never the one of its ApplicationMaster.
 *
 * @param id of the container
 * @param node id of its node, {@code host:port}
 * @param priority YARN priority that it was asked at: its role
 * @param resources what it takes
 * @param createdMillis when the ResourceManager created it
 */
public record TrainingContainer(ContainerId id, String node, int priority, Resources resources, long createdMillis) {}
