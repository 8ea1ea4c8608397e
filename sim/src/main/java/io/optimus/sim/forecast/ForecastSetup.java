package io.optimus.sim.forecast;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.Strategy;
import java.util.List;
import java.util.function.Function;

/**
 * The cluster of a forecast.
 *
 * @param nodes all nodes, also those that jobs leave
 * @param gpuTypes speed of each type of GPU
 * @param strategyOfQueue the strategy of each queue, by its path; no other run may use it, since some have memory
 * @param intervalSeconds time between two rounds, above 0
 * @param mostSeconds how far the forecast may reach, in virtual time
 */
public record ForecastSetup(
        List<NodeSnapshot> nodes,
        GpuTypes gpuTypes,
        Function<String, Strategy> strategyOfQueue,
        double intervalSeconds,
        double mostSeconds) {
    public ForecastSetup {
        nodes = List.copyOf(nodes);
    }
}
