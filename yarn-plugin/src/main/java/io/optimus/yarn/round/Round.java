package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.model.plan.Planner;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.operator.SizeOrder;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PlanNumbers;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the control loop.
 *
 * <pre>
 *   collect -> snapshot -> [ fit -> allocate -> place -> diff ] -> publish
 *                            within the time budget, pure
 * </pre>
 *
 * <p>If the steps in brackets throw or exceed the time budget, nothing changes: the last plan stays, and a counter and
 * one log line say so. No lock of CapacityScheduler is held meanwhile. Owned by one thread.
 */
final class Round {
    private static final Logger LOG = LoggerFactory.getLogger(Round.class);

    private static final String ORDERS_UNKNOWN = "the orders of administrators cannot be read yet; the last plan stays";
    private static final String PAUSED = "paused by an administrator; the last plan stays";

    private final Supplier<OptimusConfiguration> configuration;
    private final ControlLoop.State state;
    private final ControlLoop.Surroundings surroundings;
    private final RecoveryPeriod recovery;
    private final TimeBudget budget;
    private final OptimusMetrics metrics;
    private final QueueStrategies strategies;
    private final QueueStrategies guaranteedStrategies;
    private final PlanPublisher publisher;
    private final ExplorationTimeout exploration;
    private final TrainingApplications training = new TrainingApplications();
    private final Set<String> queuesOverBudget = new HashSet<>();
    private Resources freeInRound = Resources.NONE;
    /** The view of the last refresh. */
    private Optional<ClusterView> seen = Optional.empty();

    private long number;

    Round(
            Supplier<OptimusConfiguration> configuration,
            ControlLoop.State state,
            ControlLoop.Surroundings surroundings,
            PlanNumbers numbers,
            RecoveryPeriod recovery,
            TimeBudget budget,
            OptimusMetrics metrics) {
        this.configuration = configuration;
        this.state = state;
        this.surroundings = surroundings;
        this.recovery = recovery;
        this.budget = budget;
        this.metrics = metrics;
        this.strategies = new QueueStrategies(surroundings.strategies());
        this.guaranteedStrategies = new QueueStrategies(surroundings.strategies());
        this.publisher =
                new PlanPublisher(state, numbers, surroundings.enforcement(), configuration, metrics, budget::isOpen);
        this.exploration = new ExplorationTimeout(
                () -> configuration.get().rounds().explorationMillis(),
                () -> configuration.get().mode() == SchedulerMode.ENFORCE,
                state.registry());
    }

    private static Planner planner(QueueStrategies strategies, OptimusConfiguration settings) {
        return new Planner(
                queue -> strategies.of(queue, settings.policies()),
                settings.policies().gpuTypes());
    }

    void run(Set<RoundTrigger> triggers) throws InterruptedException {
        long started = surroundings.clock().millis();
        readOrders();
        List<JobView> jobs = collect();
        if (jobs.isEmpty() && state.plan().current().jobs().isEmpty()) {
            metrics.decided();
            return;
        }
        ClusterView view = snapshot(jobs);
        freeInRound = free(view);
        seen = Optional.of(view);
        record(started, triggers, jobs.size(), outcome(view, jobs));
    }

    private String outcome(ClusterView view, List<JobView> jobs) throws InterruptedException {
        if (recovering(view, jobs)) {
            return keep(view, jobs);
        }
        if (state.orders().problem().isPresent()) {
            return ORDERS_UNKNOWN;
        }
        return state.orders().inForce().paused() ? PAUSED : plan(view, jobs);
    }

    /**
     * Refreshes the plan between two rounds: targets get the room that shrinks have freed, and ignored shrinks are enforced.
     *
     * @return triggers for an early next round; empty for none
     */
    Set<RoundTrigger> refresh() {
        readOrders();
        List<JobView> jobs = collect();
        count(jobs);
        if (jobs.isEmpty()) {
            return Set.of();
        }
        ClusterView view = snapshot(jobs);
        if (recovering(view, jobs)) {
            return Set.of();
        }
        if (state.plan().current().frozen()) {
            return state.orders().inForce().paused() ? Set.of() : Set.of(RoundTrigger.ARRIVAL);
        }
        long now = surroundings.clock().millis();
        exploration.advance(state.plan().current(), jobs, now);
        boolean placeTaken = publisher.refresh(view, jobs, now);
        Set<RoundTrigger> triggers = ordinaryDemand(view);
        if (placeTaken) {
            triggers.add(RoundTrigger.PLACE_TAKEN);
        }
        if (hasNewRoom(view, jobs)) {
            triggers.add(RoundTrigger.ROOM);
        }
        return triggers;
    }

    private void count(List<JobView> jobs) {
        int withoutPlan = 0;
        int withoutTasks = 0;
        int beforeStart = 0;
        for (JobView job : jobs) {
            Optional<JobPlan> part = state.plan().current().of(job.id());
            if (part.isEmpty()) {
                withoutPlan++;
            } else if (job.state() != JobView.State.FINISHED
                    && part.get().planned().equals(Placement.NONE)) {
                withoutTasks++;
            } else if (job.state() != JobView.State.FINISHED
                    && job.progress().members().allocation().isNone()) {
                beforeStart++;
            }
        }
        metrics.waiting(withoutPlan, withoutTasks, beforeStart);
        metrics.paused(state.orders().inForce().paused());
        metrics.memory(state.registry().memoryBytes(), state.registry().memoryRefusals());
    }

    private void readOrders() {
        state.orders()
                .read(
                        job -> surroundings.applications().find(job).isPresent(),
                        surroundings.clock().millis());
    }

    private List<JobView> collect() {
        return state.registry().views();
    }

    private ClusterView snapshot(List<JobView> jobs) {
        return surroundings.reader().apply(training.of(jobs));
    }

    private String plan(ClusterView view, List<JobView> jobs) throws InterruptedException {
        long now = surroundings.clock().millis();
        DrainedView drained = new DrainedView(view, state.orders().inForce());
        Set<String> queues = view.queues().stream().map(QueueView::queue).collect(Collectors.toSet());
        strategies.keepOnly(queues);
        guaranteedStrategies.keepOnly(queues);
        try {
            RoundPlan last = publisher.decided();
            RoundPlan plan = budget.within(() -> compute(drained.remaining(), jobs, last, now))
                    .without(drained.drained());
            if (state.orders().inForce().paused()) {
                return PAUSED;
            }
            publisher.publish(plan, view, jobs, now);
            metrics.decided();
            return "planned";
        } catch (ExecutionException e) {
            LOG.warn("round failed, the last plan stays", e.getCause());
            return changesNothing("failed");
        } catch (TimeoutException e) {
            long budgetMillis = configuration.get().rounds().budgetMillis();
            LOG.warn("round exceeded its time budget, the last plan stays budgetMillis={}", budgetMillis);
            return changesNothing("took longer than " + budgetMillis + " ms");
        }
    }

    /** Fits, allocates, places and compares with the plan in force. Jobs that have ended give up their tasks. */
    private RoundPlan compute(ClusterView view, List<JobView> jobs, RoundPlan last, long now) {
        OptimusConfiguration settings = configuration.get();
        Planner planner = planner(strategies, settings);
        List<JobView> active = jobs.stream()
                .filter(job -> job.state() != JobView.State.FINISHED)
                .toList();
        state.beliefs().refresh(active, new LargestNodes(view)::workers);
        RoundSnapshots snapshots = new RoundSnapshots(
                state.beliefs(),
                planner::learning,
                state.plan().current(),
                state.orders().inForce().sizes(),
                now,
                surroundings.wallClock().millis(),
                settings);
        List<QueueSnapshot> queues = snapshots.of(view, active);
        Map<String, Proposal> plan = planner.plan(queues);
        RoundSnapshots inGuarantee = snapshots.withinGuarantee(last);
        GuaranteedSizes guaranteed = new GuaranteedSizes(planner(guaranteedStrategies, settings), queue -> inGuarantee
                .of(new ClusterView(List.of(queue), new TreeMap<>()), active)
                .get(0));
        Map<String, Proposal> sizes = guaranteed.of(view.queues(), queues, plan);
        Map<ApplicationId, Proposal> proposals = new HashMap<>();
        Map<ApplicationId, Proposal> guaranteedSizes = new HashMap<>();
        for (JobView job : jobs) {
            Optional.ofNullable(plan.get(job.id().toString())).ifPresent(proposal -> {
                proposals.put(job.id(), explained(job, proposal));
                guaranteedSizes.put(job.id(), sizes.getOrDefault(job.id().toString(), proposal));
            });
            if (job.state() == JobView.State.FINISHED) {
                proposals.put(job.id(), new Proposal(Placement.NONE, "the job has ended", false));
            }
        }
        // YARN would choose drained nodes, too.
        boolean drained = !state.orders().inForce().drainedNodes().isEmpty();
        return new RoundPlan(proposals, drained ? Map.of() : guaranteedSizes);
    }

    /** The proposal, with the order that fixed the size of the job and the limits of its queue, if there are any. */
    private Proposal explained(JobView job, Proposal proposal) {
        SizeOrder fixed = state.orders().inForce().sizes().get(job.id());
        Proposal ordered =
                fixed == null ? proposal : proposal.because("an administrator fixed its size at " + fixed.size());
        SchedulingTerms asked = job.scheduling();
        SchedulingTerms granted =
                configuration.get().owners().within(job.facts().queue(), asked);
        if (granted.preemptible() != asked.preemptible()) {
            return ordered.because("its queue lets every job shrink, also one that is not preemptible");
        }
        return !granted.preemptible() || granted.minRunSeconds() == asked.minRunSeconds()
                ? ordered
                : ordered.because(
                        "its queue keeps no job from shrinking for longer than " + granted.minRunSeconds() + " s");
    }

    private String changesNothing(String why) {
        metrics.failure();
        return why + "; the last plan stays";
    }

    private boolean recovering(ClusterView view, List<JobView> jobs) {
        return recovery.goesOn(surroundings.clock().millis(), view, jobs, surroundings.applications()::training);
    }

    private String keep(ClusterView view, List<JobView> jobs) {
        int awaited = recovery.awaited().size();
        String reason = "keeps its tasks: after the restart of the ResourceManager, " + awaited
                + (awaited == 1 ? " job has" : " jobs have") + " not registered again with all tasks yet";
        publisher.keep(view, jobs, reason);
        metrics.decided();
        LOG.info("plan kept as before the restart awaited={}", recovery.awaited());
        return "kept as before the restart; " + recovery.awaited().size() + " application(s) are awaited";
    }

    /** Whether more is free than in the last round and a job could have more tasks. */
    @SuppressWarnings("ReferenceEquality") // If nothing changed, the very same view is read again.
    private boolean hasNewRoom(ClusterView view, List<JobView> jobs) {
        if (seen.filter(before -> before == view).isPresent()) {
            return false;
        }
        seen = Optional.of(view);
        Resources free = free(view);
        if (free.fitsIn(freeInRound)) {
            return false;
        }
        freeInRound = freeInRound.max(free);
        return jobs.stream()
                .filter(job -> job.state() != JobView.State.FINISHED)
                .anyMatch(job -> !job.registration()
                        .demand()
                        .maximum()
                        .isWithin(state.plan()
                                .current()
                                .of(job.id())
                                .map(part -> part.planned().allocation())
                                .orElse(Allocation.NONE)));
    }

    private static Resources free(ClusterView view) {
        Resources sum = Resources.NONE;
        for (Resources room : view.free().values()) {
            sum = sum.plus(room.max(Resources.NONE));
        }
        return sum;
    }

    private Set<RoundTrigger> ordinaryDemand(ClusterView view) {
        Set<RoundTrigger> triggers = EnumSet.noneOf(RoundTrigger.class);
        Set<String> names = new HashSet<>();
        for (QueueView queue : view.queues()) {
            String name = queue.queue() + " " + queue.partition();
            names.add(name);
            Optional<RoundTrigger> demand = RoundTrigger.of(queue);
            if (demand.isEmpty()) {
                queuesOverBudget.remove(name);
            } else if (queuesOverBudget.add(name)) {
                triggers.add(demand.get());
            }
        }
        queuesOverBudget.retainAll(names);
        return triggers;
    }

    private void record(long started, Set<RoundTrigger> triggers, int jobs, String outcome) {
        long millis = surroundings.clock().millis() - started;
        long plan = state.plan().current().number();
        metrics.round(millis, jobs, plan);
        state.log()
                .add(new RoundLog.Entry(
                        ++number, surroundings.wallClock().millis() - millis, millis, jobs, plan, triggers, outcome));
        LOG.debug(
                "round number={} millis={} jobs={} plan={} triggers={} outcome={}",
                number,
                millis,
                jobs,
                plan,
                triggers,
                outcome);
    }
}
