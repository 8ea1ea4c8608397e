package io.optimus.yarn.explain;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.Reason;
import io.optimus.model.decision.ReasonKind;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.explain.JobExplanation.Outlook;
import io.optimus.yarn.explain.JobExplanation.Place;
import io.optimus.yarn.explain.JobExplanation.Tasks;
import io.optimus.yarn.explain.Limit.Scope;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.round.ControlLoop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Explains one job from the plan in force and from what the last round saw. Nothing is computed anew and no lock of the
 * scheduler is taken, so that an answer cannot differ from the plan.
 *
 * @param state jobs, plan and rounds
 * @param settings the settings in force
 * @param nowMillis the time by the clock of the rounds
 */
public record JobExplainer(ControlLoop.State state, OptimusConfiguration settings, long nowMillis) {
    /** Why {@code job} has what it has. */
    public JobExplanation explain(JobView job) {
        PublishedPlan plan = state.plan().current();
        Optional<JobPlan> part = plan.of(job.id());
        Explanation why = part.map(JobPlan::why).orElseGet(() -> Explanation.of(new SchedulerReason.FirstPlan()));
        Tasks tasks = tasks(job, part);
        Optional<Seen> seen = state.log().lastView().flatMap(view -> seen(view, job));
        Resources needed = job.registration().demand().resources(tasks.next());
        List<Limit> limits =
                seen.map(view -> limits(view, job, tasks.next(), needed)).orElseGet(List::of);
        List<Release> releases =
                seen.map(view -> releases(view, plan, job, needed, limits)).orElseGet(List::of);
        SchedulingTerms granted = settings.owners().within(job.facts().queue(), job.scheduling());
        return new JobExplanation(
                why,
                new Asked(job.registration().demand(), job.scheduling(), job.mayShrink(granted, nowMillis)),
                tasks,
                limits,
                why.parts().stream()
                        .map(Reason::rival)
                        .flatMap(Optional::stream)
                        .findFirst(),
                place(job, plan),
                new Outlook(remedies(why), releases));
    }

    /**
     * The queue of a job, as the last round saw it.
     *
     * @param usable the nodes that it may use, by id
     * @param types the types of GPUs that it may use; empty: all
     */
    private record Seen(
            ClusterView view,
            QueueView queue,
            ApplicationUsage usage,
            Map<String, NodeSnapshot> usable,
            Set<String> types) {
        /** The part of {@code amounts} on a node that the job may use: no GPUs of other types. */
        Resources usable(String id, Resources amounts) {
            NodeSnapshot node = usable.get(id);
            if (node == null) {
                return Resources.NONE;
            }
            boolean mayUseGpus = types.isEmpty() || types.contains(node.gpuType());
            return mayUseGpus ? amounts : amounts.minus(Resources.of(0, 0, amounts.amount(Resources.GPUS)));
        }
    }

    private Optional<Seen> seen(ClusterView view, JobView job) {
        for (QueueView queue : view.queues()) {
            for (ApplicationUsage usage : queue.usages()) {
                if (usage.application().id().equals(job.id())) {
                    Set<String> drained =
                            state.orders().inForce().drainedNodes().keySet();
                    Map<String, NodeSnapshot> usable = queue.cluster().nodes().stream()
                            .filter(node -> !drained.contains(node.id())
                                    && !usage.avoidedNodes().contains(node.id()))
                            .collect(Collectors.toMap(NodeSnapshot::id, node -> node));
                    return Optional.of(new Seen(
                            view, queue, usage, usable, job.scheduling().gpuTypes()));
                }
            }
        }
        return Optional.empty();
    }

    private static Tasks tasks(JobView job, Optional<JobPlan> part) {
        Allocation planned = part.map(JobPlan::planned).orElse(Placement.NONE).allocation();
        return new Tasks(
                job.progress().members().allocation(),
                planned,
                part.map(JobPlan::awaited).orElse(Allocation.NONE),
                next(job.registration().demand(), planned));
    }

    private static Allocation next(JobDemand demand, Allocation planned) {
        if (planned.isNone()) {
            return demand.minimum();
        }
        if (demand.maximum().isWithin(planned)) {
            return Allocation.NONE;
        }
        boolean worker = planned.workers() < demand.maximum().workers();
        return Allocation.NONE.plus(worker ? Role.WORKER : Role.PARAMETER_SERVER, 1);
    }

    /** What is left of each limit once the plan is carried out; the job's own planned tasks count as taken. */
    private List<Limit> limits(Seen seen, JobView job, Allocation next, Resources needed) {
        PublishedPlan plan = state.plan().current();
        QueueView queue = seen.queue();
        Resources planned = Resources.NONE;
        Resources plannedOfUser = Resources.NONE;
        for (ApplicationUsage usage : queue.usages()) {
            Resources own = planned(plan, usage);
            planned = planned.plus(own);
            plannedOfUser = usage.user().equals(seen.usage().user()) ? plannedOfUser.plus(own) : plannedOfUser;
        }
        List<Limit> limits = new ArrayList<>();
        Resources ofUser = queue.userBudgets().get(seen.usage().user());
        if (ofUser != null) {
            limits.add(Limit.of(Scope.USER, seen.usage().user(), ofUser, ofUser.minus(plannedOfUser), needed));
        }
        Resources budget = queue.cluster().budget();
        limits.add(Limit.of(Scope.QUEUE, queue.queue(), budget, budget.minus(planned), needed));
        limits.add(nodes(seen, job, next, needed));
        return limits;
    }

    private static Resources planned(PublishedPlan plan, ApplicationUsage usage) {
        Allocation tasks = plan.of(usage.application().id())
                .map(part -> part.planned().allocation())
                .orElse(usage.live().allocation());
        return usage.application().resources(tasks);
    }

    /**
     * The nodes that the job may use: what is free on them, and whether one of them has room for a task of each role that is
     * asked for.
     */
    private Limit nodes(Seen seen, JobView job, Allocation next, Resources needed) {
        Map<String, Resources> changes = plannedChanges(seen.view());
        Resources capacity = Resources.NONE;
        Resources free = Resources.NONE;
        List<Resources> rooms = new ArrayList<>();
        for (NodeSnapshot node : seen.usable().values()) {
            Resources left = seen.view()
                    .free()
                    .getOrDefault(node.id(), Resources.NONE)
                    .minus(changes.getOrDefault(node.id(), Resources.NONE));
            Resources room = seen.usable(node.id(), left).max(Resources.NONE);
            capacity = capacity.plus(seen.usable(node.id(), node.capacity()));
            free = free.plus(room);
            rooms.add(room);
        }
        Limit limit = Limit.of(Scope.NODES, "cluster", capacity, free, needed);
        if (limit.isReached()) {
            return limit;
        }
        for (Role role : Role.values()) {
            Resources task = job.registration().demand().of(role).task();
            if (next.count(role) > 0 && rooms.stream().noneMatch(task::fitsIn)) {
                return new Limit(
                        Scope.NODES,
                        "cluster",
                        capacity,
                        free,
                        Optional.of(task.dominant(capacity).resource()));
            }
        }
        return limit;
    }

    /** How much more of each node is taken once the plan is carried out. */
    private Map<String, Resources> plannedChanges(ClusterView view) {
        PublishedPlan plan = state.plan().current();
        Map<String, Resources> changes = new HashMap<>();
        for (ApplicationUsage usage : view.usages().values()) {
            plan.of(usage.application().id()).map(JobPlan::planned).ifPresent(planned -> {
                planned.byNode()
                        .forEach((node, tasks) ->
                                changes.merge(node, usage.application().resources(tasks), Resources::plus));
                usage.live()
                        .byNode()
                        .forEach((node, tasks) -> changes.merge(
                                node, Resources.NONE.minus(usage.application().resources(tasks)), Resources::plus));
            });
        }
        return changes;
    }

    /**
     * The predicted ends of other jobs that together make room within every limit that is reached, the earliest first. A job of
     * the same user makes room within the user's limit, a job in the same queue within the queue's limit, and a job with tasks on
     * nodes that this one may use makes room on those nodes. Empty if no limit is reached.
     */
    private List<Release> releases(Seen seen, PublishedPlan plan, JobView job, Resources needed, List<Limit> limits) {
        Map<Scope, Resources> left = new EnumMap<>(Scope.class);
        limits.stream().filter(Limit::isReached).forEach(limit -> left.put(limit.scope(), limit.left()));
        if (needed.equals(Resources.NONE) || left.isEmpty()) {
            return List.of();
        }
        List<Ending> ends = new ArrayList<>();
        for (QueueView queue : seen.view().queues()) {
            for (ApplicationUsage usage : queue.usages()) {
                if (!usage.application().id().equals(job.id())) {
                    ending(seen, plan, queue, usage).ifPresent(ends::add);
                }
            }
        }
        ends.sort(Comparator.comparing(
                Ending::release, Comparator.comparingDouble(Release::seconds).thenComparing(Release::job)));
        return enough(ends, needed, left);
    }

    /** The predicted end of a job, and what it frees within each limit. */
    private record Ending(Release release, Map<Scope, Resources> frees) {}

    private static Optional<Ending> ending(Seen seen, PublishedPlan plan, QueueView queue, ApplicationUsage usage) {
        return release(plan, usage).map(release -> {
            Map<Scope, Resources> frees = new EnumMap<>(Scope.class);
            if (queue.equals(seen.queue())) {
                frees.put(Scope.QUEUE, release.frees());
                if (usage.user().equals(seen.usage().user())) {
                    frees.put(Scope.USER, release.frees());
                }
            }
            Placement tasks =
                    plan.of(usage.application().id()).map(JobPlan::planned).orElse(usage.live());
            Resources onNodes = tasks.byNode().entrySet().stream()
                    .map(node -> seen.usable(node.getKey(), usage.application().resources(node.getValue())))
                    .reduce(Resources.NONE, Resources::plus);
            if (!onNodes.equals(Resources.NONE)) {
                frees.put(Scope.NODES, onNodes);
            }
            return new Ending(release, frees);
        });
    }

    private static Optional<Release> release(PublishedPlan plan, ApplicationUsage usage) {
        Resources holds = planned(plan, usage);
        return holds.equals(Resources.NONE)
                ? Optional.empty()
                : plan.of(usage.application().id())
                        .flatMap(JobPlan::remaining)
                        .map(time -> new Release(usage.application().id(), holds, time));
    }

    private static List<Release> enough(List<Ending> ends, Resources needed, Map<Scope, Resources> left) {
        Map<Scope, Resources> lacking = new EnumMap<>(left);
        List<Release> together = new ArrayList<>();
        for (Ending end : ends) {
            if (Collections.disjoint(end.frees().keySet(), lacking.keySet())) {
                continue;
            }
            together.add(end.release());
            end.frees().forEach((scope, frees) -> lacking.computeIfPresent(scope, (limit, room) -> room.plus(frees)));
            lacking.values().removeIf(needed::fitsIn);
            if (lacking.isEmpty()) {
                return together;
            }
        }
        return List.of();
    }

    private Optional<Place> place(JobView job, PublishedPlan plan) {
        String queue = job.facts().queue();
        List<JobView> waiting = state.registry().views().stream()
                .filter(other -> other.facts().queue().equals(queue) && other.state() != JobView.State.FINISHED)
                .filter(other -> plan.of(other.id())
                        .map(JobPlan::planned)
                        .filter(planned -> !planned.equals(Placement.NONE))
                        .isEmpty())
                .toList();
        Optional<JobView> own =
                waiting.stream().filter(other -> other.id().equals(job.id())).findFirst();
        return own.flatMap(known -> WaitingOrder.of(known, settings.policies().of(queue), waiting));
    }

    private static List<String> remedies(Explanation why) {
        List<String> remedies = why.kinds().stream()
                .filter(ReasonKind::isWanting)
                .map(ReasonKind::remedy)
                .distinct()
                .toList();
        return remedies.isEmpty() ? List.of(ReasonKind.PLACED.remedy()) : remedies;
    }
}
