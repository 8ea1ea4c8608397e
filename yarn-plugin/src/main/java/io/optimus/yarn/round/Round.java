package io.optimus.yarn.round;

import io.optimus.model.Role;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.Proposal;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.read.QueueView;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.read.TrainingApplication.RoleShape;
import io.optimus.yarn.round.TimeBudget.Outcome;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * <p>What throws or overruns in the brackets changes nothing: the last plan stays, a counter and one log line say so. No
 * lock of CapacityScheduler is held meanwhile. Owned by one thread.
 */
final class Round {
    private static final Logger LOG = LoggerFactory.getLogger(Round.class);

    private final RoundParts parts;
    private final PlanPublisher publisher;
    private final RecoveryPeriod recovery;
    private final ExplorationTimeout exploration;
    private final Set<String> demandSeen = new HashSet<>();
    private long number;

    Round(RoundParts parts, PlanPublisher publisher, RecoveryPeriod recovery) {
        this.parts = parts;
        this.publisher = publisher;
        this.recovery = recovery;
        this.exploration = new ExplorationTimeout(
                parts.configuration().rounds().explorationMillis(),
                parts.configuration().mode() == SchedulerMode.ENFORCE,
                parts.registry());
    }

    /** A whole round. */
    void run(Set<RoundTrigger> early) throws InterruptedException {
        long started = parts.clock().millis();
        List<JobView> jobs = collect();
        if (jobs.isEmpty() && parts.board().current().jobs().isEmpty()) {
            return;
        }
        ClusterView view = snapshot(jobs);
        String outcome = recovering(view, jobs) ? keep(view, jobs) : plan(view, jobs);
        record(started, early, jobs.size(), outcome);
    }

    /**
     * Between two rounds: what waited for a shrink follows, who ignores one is dealt with.
     *
     * @return why the next round should be early
     */
    Set<RoundTrigger> lookAfter() {
        List<JobView> jobs = collect();
        if (jobs.isEmpty()) {
            return Set.of();
        }
        ClusterView view = snapshot(jobs);
        if (recovering(view, jobs)) {
            return Set.of();
        }
        if (parts.board().current().frozen()) {
            return Set.of(RoundTrigger.ARRIVAL);
        }
        long now = parts.clock().millis();
        exploration.advance(parts.board().current(), jobs, now);
        publisher.lookAfter(view, jobs, now);
        return ordinaryDemand(view);
    }

    private List<JobView> collect() {
        return parts.registry().views();
    }

    private ClusterView snapshot(List<JobView> jobs) {
        return parts.cluster().read(jobs.stream().map(Round::application).toList());
    }

    private String plan(ClusterView view, List<JobView> jobs) throws InterruptedException {
        List<JobView> active =
                jobs.stream().filter(job -> job.state() != JobView.State.FINISHED).toList();
        long now = parts.clock().millis();
        Outcome<SortedMap<ApplicationId, Proposal>> computed = parts.budget().within(() -> compute(view, active, now));
        if (computed instanceof Outcome.Done<SortedMap<ApplicationId, Proposal>> done) {
            SortedMap<ApplicationId, Proposal> plan = new TreeMap<>(done.result());
            jobs.stream()
                    .filter(job -> job.state() == JobView.State.FINISHED)
                    .forEach(job -> plan.put(job.id(), new Proposal(Placement.NONE, "the job has ended", false)));
            publisher.adopt(plan, view, jobs, now);
            return "planned";
        }
        if (computed instanceof Outcome.Failed<SortedMap<ApplicationId, Proposal>> failed) {
            LOG.warn("round failed, the last plan stays", failed.cause());
            return changesNothing("failed");
        }
        LOG.warn(
                "round overran, the last plan stays budgetMillis={}",
                parts.configuration().rounds().budgetMillis());
        return changesNothing(
                "took longer than " + parts.configuration().rounds().budgetMillis() + " ms");
    }

    /** Fit, allocate, place, diff. */
    private SortedMap<ApplicationId, Proposal> compute(ClusterView view, List<JobView> jobs, long now) {
        parts.estimates().refresh(jobs);
        RoundSnapshots snapshots = new RoundSnapshots(
                parts.estimates(),
                parts.planner()::learning,
                parts.board().current(),
                now,
                parts.wallClock().millis(),
                parts.configuration().rounds().intervalMillis(),
                parts.configuration().rounds().assumedResizeMillis());
        Map<String, Proposal> plan = parts.planner().plan(snapshots.of(view, jobs));
        SortedMap<ApplicationId, Proposal> byApplication = new TreeMap<>();
        for (JobView job : jobs) {
            Optional.ofNullable(plan.get(job.id().toString()))
                    .ifPresent(proposal -> byApplication.put(job.id(), proposal));
        }
        return byApplication;
    }

    private String changesNothing(String why) {
        parts.metrics().failure();
        return why + "; the last plan stays";
    }

    private boolean recovering(ClusterView view, List<JobView> jobs) {
        return recovery.goesOn(
                parts.clock().millis(), view, jobs, parts.applications().training());
    }

    private String keep(ClusterView view, List<JobView> jobs) {
        String reason = "kept as it was before the restart, until "
                + recovery.awaited().size() + " more training application(s) are back with their containers";
        publisher.keep(view, jobs, reason);
        LOG.info("plan kept as before the restart awaited={}", recovery.awaited());
        return "kept; waiting for " + recovery.awaited().size();
    }

    private Set<RoundTrigger> ordinaryDemand(ClusterView view) {
        Set<RoundTrigger> news = EnumSet.noneOf(RoundTrigger.class);
        for (QueueView queue : view.queues()) {
            String name = queue.queue() + " " + queue.partition();
            Optional<RoundTrigger> demand = RoundTrigger.of(queue);
            if (demand.isEmpty()) {
                demandSeen.remove(name);
            } else if (demandSeen.add(name)) {
                news.add(demand.get());
            }
        }
        return news;
    }

    private void record(long started, Set<RoundTrigger> early, int jobs, String outcome) {
        long millis = parts.clock().millis() - started;
        long plan = parts.board().current().number();
        parts.metrics().round(millis, jobs, plan);
        parts.log()
                .add(new RoundRecord(
                        ++number, parts.wallClock().millis() - millis, millis, jobs, plan, early, outcome));
        LOG.debug(
                "round number={} millis={} jobs={} plan={} early={} outcome={}",
                number,
                millis,
                jobs,
                plan,
                early,
                outcome);
    }

    private static TrainingApplication application(JobView job) {
        Map<Role, RoleShape> roles = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            RoleDemand demand = job.registration().demand().of(role);
            roles.put(role, new RoleShape(job.registration().yarnPriorities().get(role), demand.task(), demand.max()));
        }
        return new TrainingApplication(job.id(), roles);
    }
}
