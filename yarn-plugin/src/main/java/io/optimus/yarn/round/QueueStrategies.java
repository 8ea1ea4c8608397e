package io.optimus.yarn.round;

import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration.Policies;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** One strategy for each queue, kept over rounds since some have memory. A queue whose settings change gets another. */
final class QueueStrategies {
    private final Function<String, Strategy> byPolicy;
    private final Map<String, Chosen> ofQueue = new ConcurrentHashMap<>();

    /** Makes strategies by the names of their policies. */
    QueueStrategies(Function<String, Strategy> byPolicy) {
        this.byPolicy = byPolicy;
    }

    private record Chosen(String policy, int distributedJobs, Strategy strategy) {}

    Strategy of(String queue, Policies policies) {
        String policy = policies.of(queue);
        int jobs = policies.distributedJobsPerNode();
        return ofQueue.compute(
                        queue,
                        (path, known) ->
                                known != null && known.policy().equals(policy) && known.distributedJobs() == jobs
                                        ? known
                                        : new Chosen(policy, jobs, strategy(policy, jobs)))
                .strategy();
    }

    /** Forgets the strategies of all other queues: queues that YARN creates for users come and go. */
    void keepOnly(Collection<String> queues) {
        ofQueue.keySet().retainAll(queues);
    }

    private Strategy strategy(String policy, int distributedJobs) {
        Strategy strategy = byPolicy.apply(policy);
        return distributedJobs == 0 ? strategy : strategy.withDistributedJobs(distributedJobs);
    }
}
