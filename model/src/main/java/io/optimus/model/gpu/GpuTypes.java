package io.optimus.model.gpu;

import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.RoleDemand;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * GPU types of a cluster, and the speed of each.
 *
 * <p>A type is a resource beside {@link Resources#GPUS}: a node with 4 GPUs of type {@code a100} has 4 of {@code GPUs of type
 * a100} too, and a job that runs on that type asks for both. So policies and placers, which know resources but no types, place it
 * nowhere else. These resources exist only inside a round: no budget bounds them, and only reasons show them.
 *
 * <p>The speed function of a job holds for a type of speed 1. Example: 10 steps/s there are 25 on a type of speed 2.5.
 *
 * @param speeds above 0, by type; a type that is missing has speed 1
 */
public record GpuTypes(SortedMap<String, Double> speeds) {
    /** The types of a cluster whose GPUs are all equally fast. */
    public static final GpuTypes ALIKE = new GpuTypes(new TreeMap<>());

    /** Copies the map; throws if a speed is not above 0 and finite. */
    public GpuTypes {
        speeds = Collections.unmodifiableSortedMap(new TreeMap<>(speeds));
        speeds.forEach((type, speed) -> {
            if (!(speed > 0 && speed < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "The speed of GPU type " + type + " must be above 0 and finite, got " + speed);
            }
        });
    }

    public double speed(String type) {
        return speeds.getOrDefault(type, 1.0);
    }

    /** The readable name of the resource that stands for a type; an empty type stands for nodes that do not report theirs. */
    public static String resource(String type) {
        return type.isEmpty() ? "GPUs of no type" : "GPUs of type " + type;
    }

    /** The same cluster, each node with its type as a resource; the budget allows all of these resources. */
    public static ClusterSnapshot typed(ClusterSnapshot cluster) {
        return new ClusterSnapshot(
                cluster.nodes().stream().map(GpuTypes::typed).toList(),
                cluster.budget().plus(ofTypes(cluster)));
    }

    /** The available amount of each type's resource. */
    public static Resources ofTypes(ClusterSnapshot cluster) {
        return cluster.nodes().stream()
                .map(node -> amount(node, node.available().max(Resources.NONE)))
                .reduce(Resources.NONE, Resources::plus);
    }

    private static NodeSnapshot typed(NodeSnapshot node) {
        return new NodeSnapshot(
                node.id(),
                node.capacity().plus(amount(node, node.capacity())),
                node.available().plus(amount(node, node.available())),
                node.gpuType(),
                node.rack());
    }

    private static Resources amount(NodeSnapshot node, Resources of) {
        return amount(node.gpuType(), of);
    }

    private static Resources amount(String type, Resources of) {
        return Resources.of(Map.of(resource(type), of.amount(Resources.GPUS)));
    }

    /** The same job on GPUs of {@code type}: it asks for no others, and its speed is multiplied by theirs. */
    public JobSnapshot typed(JobSnapshot job, String type) {
        double speed = speed(type);
        return job.demanding(
                new JobDemand(
                        typed(job.demand().parameterServers(), type),
                        typed(job.demand().workers(), type)),
                job.speed().map(known -> known.times(speed)));
    }

    private static RoleDemand typed(RoleDemand role, String type) {
        return new RoleDemand(role.task().plus(amount(type, role.task())), role.min(), role.max());
    }
}
