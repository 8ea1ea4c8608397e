package io.optimus.yarn.round;

import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.metrics.RoundStep;
import io.optimus.yarn.metrics.StepDurations;
import io.optimus.yarn.read.ClusterView;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The steps of a round that touch nothing outside: fits, allocates, places, and compares with the plan in force. All of them
 * together have the time budget of the round.
 */
final class RoundPlanner {
    private final ControlLoop.State state;
    private final QueueStrategies strategies;
    /** Strategies have memory, so the plans within the guarantees have their own. */
    private final QueueStrategies guaranteedStrategies;

    private final RoundTimer.Clock wallClock;
    private final LostTasks lost;

    /** Plans the jobs of {@code state}; {@code strategies} makes a strategy by the name of its policy. */
    RoundPlanner(
            ControlLoop.State state,
            Function<String, Strategy> strategies,
            RoundTimer.Clock wallClock,
            LostTasks lost) {
        this.state = state;
        this.strategies = new QueueStrategies(strategies);
        this.guaranteedStrategies = new QueueStrategies(strategies);
        this.wallClock = wallClock;
        this.lost = lost;
    }

    /** Forgets what was kept for all other queues. */
    void keepOnly(Collection<String> queues) {
        strategies.keepOnly(queues);
        guaranteedStrategies.keepOnly(queues);
    }

    /**
     * The decisions on all {@code jobs}. Those that have ended give up their tasks.
     *
     * @param view the cluster without drained nodes and queues
     * @param last the decisions in force
     * @param steps measures the steps
     */
    RoundPlan plan(
            ClusterView view,
            List<JobView> jobs,
            RoundPlan last,
            OptimusConfiguration settings,
            StepDurations steps,
            long nowMillis) {
        Planner planner = planner(strategies, settings, steps);
        List<JobView> active = believe(view, jobs, steps);
        RoundSnapshots snapshots = new RoundSnapshots(
                state.beliefs()::of,
                planner::learning,
                state.plan().current(),
                state.orders().inForce().sizes(),
                nowMillis,
                wallClock.millis(),
                settings);
        List<QueueSnapshot> queues = snapshots.of(view, active);
        Map<String, Proposal> plan = planner.plan(queues);
        RoundSnapshots inGuarantee = snapshots.withinGuarantee(last);
        GuaranteedSizes guaranteed =
                new GuaranteedSizes(planner(guaranteedStrategies, settings, steps), queue -> inGuarantee
                        .of(new ClusterView(List.of(queue), new TreeMap<>()), active)
                        .get(0));
        Map<String, Proposal> sizes = guaranteed.of(view.queues(), queues, plan);
        ReasonParts reasons = new ReasonParts(state, settings, lost, nowMillis);
        Map<ApplicationId, Proposal> proposals = new HashMap<>();
        Map<ApplicationId, Proposal> guaranteedSizes = new HashMap<>();
        for (JobView job : jobs) {
            Optional.ofNullable(plan.get(job.id().toString())).ifPresent(proposal -> {
                proposals.put(job.id(), reasons.explained(job, proposal, planner));
                guaranteedSizes.put(job.id(), sizes.getOrDefault(job.id().toString(), proposal));
            });
            if (job.state() == JobView.State.FINISHED) {
                proposals.put(job.id(), new Proposal(Placement.NONE, new SchedulerReason.Ended(), false));
            }
        }
        // YARN would choose drained nodes, too.
        boolean drained = !state.orders().inForce().drainedNodes().isEmpty();
        return new RoundPlan(proposals, drained ? Map.of() : guaranteedSizes);
    }

    /** Fits what is new of the jobs; returns those that have not finished. */
    List<JobView> believe(ClusterView view, List<JobView> jobs, StepDurations steps) {
        List<JobView> active = jobs.stream()
                .filter(job -> job.state() != JobView.State.FINISHED)
                .toList();
        steps.run(RoundStep.FIT, () -> state.beliefs().refresh(active, new LargestNodes(view)::workers));
        return active;
    }

    private static Planner planner(QueueStrategies strategies, OptimusConfiguration settings, StepDurations steps) {
        return new Planner(
                queue -> strategies.of(queue, settings.policies()),
                settings.policies().gpuTypes(),
                steps);
    }
}
