package io.optimus.yarn.whatif;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.Strategy;
import io.optimus.sim.engine.QueueSource;
import io.optimus.sim.forecast.Forecast;
import io.optimus.sim.forecast.ForecastJob;
import io.optimus.sim.forecast.ForecastResult;
import io.optimus.sim.forecast.ForecastSetup;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.OptimusConfiguration.Policies;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.ClusterCopy;
import io.optimus.yarn.round.ForecastInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The cluster at the moment of a question, and forecasts of it.
 *
 * @param copy the scheduler
 * @param input what a round would plan
 * @param settings the settings in force
 * @param byPolicy makes a strategy by the name of its policy
 */
record PresentCluster(
        ClusterCopy copy, ForecastInput input, OptimusConfiguration settings, Function<String, Strategy> byPolicy) {
    private static final double MILLIS = 1000;

    /** A month: no plan of anybody depends on what comes after. */
    private static final double MOST_SECONDS = 30.0 * 24 * 3600;

    /**
     * Forecasts {@code cluster}, which is this one or differs from it.
     *
     * @param jobs its jobs
     * @param known what is known of each of them
     * @param goesOn whether there is time to compute
     */
    ForecastResult forecast(
            ClusterCopy cluster,
            Policies policies,
            List<JobView> jobs,
            Map<String, ForecastJob> known,
            BooleanSupplier goesOn) {
        Function<String, Strategy> strategies = ForecastInput.strategies(byPolicy, policies);
        QueueSource queues =
                ended -> queues(cluster, jobs, queue -> strategies.apply(queue).learning(), ended);
        return Forecast.of(
                queues,
                known,
                new ForecastSetup(
                        nodes(cluster, queues.without(Set.of())),
                        policies.gpuTypes(),
                        strategies,
                        settings.rounds().intervalMillis() / MILLIS,
                        MOST_SECONDS),
                goesOn);
    }

    private List<QueueSnapshot> queues(
            ClusterCopy cluster, List<JobView> jobs, Function<String, LearningMode> learning, Set<String> ended) {
        Set<ApplicationId> gone = ended.stream().map(ApplicationId::fromString).collect(Collectors.toSet());
        List<JobView> left =
                jobs.stream().filter(job -> !gone.contains(job.id())).toList();
        return input.queues(cluster.without(gone).view(), left, learning);
    }

    /** The nodes of the cluster, and those on which jobs are still planned though they are gone. */
    private static List<NodeSnapshot> nodes(ClusterCopy cluster, List<QueueSnapshot> queues) {
        Map<String, NodeSnapshot> nodes = new TreeMap<>();
        cluster.nodes().forEach(node -> nodes.put(node.id(), node));
        Map<String, Resources> gone = new TreeMap<>();
        queues.forEach(queue -> queue.jobs()
                .forEach(job -> job.job().current().byNode().forEach((node, tasks) -> {
                    if (!nodes.containsKey(node)) {
                        gone.merge(node, job.job().resources(tasks), Resources::plus);
                    }
                })));
        List<NodeSnapshot> all = new ArrayList<>(nodes.values());
        gone.forEach((node, held) -> all.add(new NodeSnapshot(node, held, held)));
        return all;
    }
}
