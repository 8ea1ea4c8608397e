package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.Target;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.validation.Registration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * What each job can have now on its way to its planned placement: targets that use only free room, and demand within the
 * guarantees of queues.
 *
 * <p>Remembers which jobs wait for YARN. Not thread-safe: the round owns it.
 */
final class NextSteps {
    private final LongSupplier growthMillis;
    private final GuaranteedDemand guaranteed;

    /**
     * Starts without jobs that wait.
     *
     * @param growthMillis how long the place and the requests of a job that starts or grows are kept
     */
    NextSteps(LongSupplier growthMillis) {
        this.growthMillis = growthMillis;
        this.guaranteed = new GuaranteedDemand(growthMillis);
    }

    /**
     * The next step of a job.
     *
     * @param proposal what the last round decided, with containers that YARN granted on nodes of its own choice
     * @param target what the job can have now
     * @param total the size up to which YARN may choose nodes
     */
    record Step(JobView job, Proposal proposal, GuaranteedDemand.JobTarget target, Allocation total) {
        ApplicationId id() {
            return job.id();
        }

        Placement live() {
            return target.usage().live();
        }
    }

    /**
     * The next steps of all jobs.
     *
     * @param decided the decisions; they include the containers that YARN granted on nodes of its own choice
     * @param steps in the order in which jobs get free room
     * @param withoutPlace jobs that cannot reach their planned placement, whoever in the plan leaves: others took the room
     */
    record Steps(RoundPlan decided, List<Step> steps, Set<ApplicationId> withoutPlace) {
        Steps {
            steps = List.copyOf(steps);
            withoutPlace = Set.copyOf(withoutPlace);
        }
    }

    /**
     * The next step of each of {@code jobs} towards what was {@code decided}.
     *
     * @param inForce the plan in force: it tells which jobs start or grow, and since when
     * @param nowMillis the round's clock
     */
    Steps of(RoundPlan decided, ClusterView view, List<JobView> jobs, PublishedPlan inForce, long nowMillis) {
        Map<ApplicationId, ApplicationUsage> usages = view.usages();
        RoundPlan now = withGranted(decided, usages, jobs, nowMillis);
        Map<String, Resources> free = new TreeMap<>(view.free());
        List<Step> targets = targets(now, usages, jobs, free, inForce, nowMillis);
        Map<ApplicationId, Allocation> totals = guaranteed.divide(
                view.queues(), targets.stream().map(Step::target).toList(), free, nowMillis);
        List<Step> steps = targets.stream()
                .map(step -> new Step(
                        step.job(), step.proposal(), step.target(), totals.getOrDefault(step.id(), Allocation.NONE)))
                .toList();
        return new Steps(now, steps, withoutPlace(steps, free));
    }

    /** Adds to the decisions the containers that YARN granted on nodes of its own choice. They stay until the next round. */
    private RoundPlan withGranted(
            RoundPlan decided, Map<ApplicationId, ApplicationUsage> usages, List<JobView> jobs, long nowMillis) {
        Map<ApplicationId, Proposal> changed = new HashMap<>();
        for (JobView job : jobs) {
            ApplicationUsage usage = usages.get(job.id());
            Proposal proposal = decided.proposals().get(job.id());
            if (usage != null && proposal != null) {
                Placement planned =
                        guaranteed.withGranted(usage, proposal.planned(), wanted(decided, job, proposal, nowMillis));
                if (!planned.equals(proposal.planned())) {
                    boolean trial = decided.guaranteedTrial(job.id())
                            .filter(planned.allocation()::equals)
                            .isPresent();
                    changed.put(job.id(), new Proposal(planned, proposal.why(), trial));
                }
            }
        }
        return changed.isEmpty() ? decided : decided.with(changed);
    }

    /** Targets, without totals; {@code free} is what is free on each node, and is lowered to what they leave. */
    private List<Step> targets(
            RoundPlan decided,
            Map<ApplicationId, ApplicationUsage> usages,
            List<JobView> jobs,
            Map<String, Resources> free,
            PublishedPlan inForce,
            long nowMillis) {
        List<Step> steps = new ArrayList<>();
        for (JobView job : inOrder(jobs)) {
            ApplicationUsage usage = usages.get(job.id());
            Proposal proposal = decided.proposals().get(job.id());
            if (usage != null && proposal != null) {
                Target next = new Target(demands(job.registration()), usage.live(), proposal.planned());
                boolean keepsPlace = inForce.of(job.id())
                        .filter(part -> part.keepsPlace(nowMillis, growthMillis.getAsLong()))
                        .isPresent();
                Placement target = keepsPlace ? next.ofStarting(free) : next.into(free);
                JobDemand demand = job.registration().demand();
                Allocation wanted = wanted(decided, job, proposal, nowMillis);
                steps.add(new Step(
                        job, proposal, new GuaranteedDemand.JobTarget(usage, demand, target, wanted), Allocation.NONE));
            }
        }
        return steps;
    }

    /**
     * The size of a job within the guarantee of its queue. YARN knows no types of GPUs, so a job that accepts only some of
     * them leaves no node to YARN. A job that tries another size on free room finishes that first.
     */
    private Allocation wanted(RoundPlan decided, JobView job, Proposal proposal, long nowMillis) {
        Allocation planned = proposal.planned().allocation();
        boolean triesOnFreeRoom = proposal.exploring()
                && decided.guaranteedTrial(job.id()).filter(planned::equals).isEmpty();
        Allocation size = job.scheduling().gpuTypes().isEmpty() && !triesOnFreeRoom
                ? decided.guaranteedSize(job.id())
                : Allocation.NONE;
        return guaranteed.wanted(job.id(), job.progress().members().allocation(), size, planned, nowMillis);
    }

    /**
     * The jobs whose further tasks find no room on their nodes, not even in what the plan takes from other jobs there. Jobs
     * for which YARN chooses nodes are left out.
     *
     * @param free what the targets leave free, by node
     */
    private static Set<ApplicationId> withoutPlace(List<Step> steps, Map<String, Resources> free) {
        List<Step> incomplete = steps.stream()
                .filter(step -> !step.proposal().planned().equals(step.target().target())
                        && step.total().isNone())
                .toList();
        if (incomplete.isEmpty()) {
            return Set.of();
        }
        Map<String, Resources> room = new HashMap<>();
        for (Step step : steps) {
            Placement planned = step.proposal().planned();
            step.live()
                    .byNode()
                    .forEach((node, tasks) -> room.merge(
                            node, step.target().demand().resources(tasks.beyond(planned.on(node))), Resources::plus));
        }
        Set<ApplicationId> without = new HashSet<>();
        for (Step step : incomplete) {
            step.proposal().planned().byNode().forEach((node, tasks) -> {
                Allocation more = tasks.beyond(step.target().target().on(node));
                Resources needed = step.target().demand().resources(more);
                Resources left = room.getOrDefault(node, Resources.NONE);
                if (needed.fitsIn(left.plus(free.getOrDefault(node, Resources.NONE)))) {
                    room.put(node, left.minus(needed));
                } else {
                    without.add(step.id());
                }
            });
        }
        return without;
    }

    private static Map<Role, RoleDemand> demands(Registration registration) {
        Map<Role, RoleDemand> demands = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            demands.put(role, registration.demand().of(role));
        }
        return demands;
    }

    /** Free room goes to the job that was submitted first. */
    private static List<JobView> inOrder(List<JobView> jobs) {
        return jobs.stream()
                .sorted(Comparator.comparingLong((JobView job) -> job.facts().submitMillis())
                        .thenComparing(JobView::id))
                .toList();
    }
}
