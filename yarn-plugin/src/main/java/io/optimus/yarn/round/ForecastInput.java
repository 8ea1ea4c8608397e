package io.optimus.yarn.round;

import io.optimus.model.belief.LearningMode;
import io.optimus.model.job.JobSnapshot.Belief;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.OptimusConfiguration.Policies;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.TrainingApplication;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * What a round would plan at one moment, for forecasts: the same snapshots, from the same plan in force and the same orders of
 * administrators. It shares nothing with the round that changes. The snapshots hold no beliefs; a forecast has its own.
 */
public final class ForecastInput {
    private static final Belief NOTHING =
            new Belief(Optional.empty(), OptionalDouble.empty(), 0, true, Optional.empty());

    private final PublishedPlan inForce;
    private final OperatorOrders.InForce orders;
    private final OptimusConfiguration settings;
    private final long nowMillis;
    private final long wallMillis;

    /**
     * The input of a round now.
     *
     * @param nowMillis the round's clock
     * @param wallMillis milliseconds since 1970
     */
    public ForecastInput(ControlLoop.State state, OptimusConfiguration settings, long nowMillis, long wallMillis) {
        this.inForce = state.plan().current();
        this.orders = state.orders().inForce();
        this.settings = settings;
        this.nowMillis = nowMillis;
        this.wallMillis = wallMillis;
    }

    /** The strategies of one forecast, by the path of the queue: some have memory, so each forecast has its own. */
    public static Function<String, Strategy> strategies(Function<String, Strategy> byPolicy, Policies policies) {
        QueueStrategies strategies = new QueueStrategies(byPolicy);
        return queue -> strategies.of(queue, policies);
    }

    /** The jobs as applications that the cluster is read for. */
    public List<TrainingApplication> applications(List<JobView> jobs) {
        return new TrainingApplications()
                .of(jobs, job -> TrainingApplications.mayShrink(job, settings.owners(), orders, nowMillis));
    }

    /** The queues of {@code view} with those of {@code jobs} that are in them, without drained nodes and queues. */
    public List<QueueSnapshot> queues(ClusterView view, List<JobView> jobs, Function<String, LearningMode> learning) {
        RoundSnapshots snapshots = new RoundSnapshots(
                (job, mode, now) -> NOTHING, learning, inForce, orders.sizes(), nowMillis, wallMillis, settings);
        return snapshots.of(new DrainedView(view, orders).remaining(), jobs);
    }
}
