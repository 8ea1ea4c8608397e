package io.optimus.yarn.round;

import io.optimus.model.Role;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.Target;
import io.optimus.yarn.enforce.Ceiling;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.enforce.ShrinkEnforcer;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.LatestPlan;
import io.optimus.yarn.plan.PlanNumbers;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.validation.Registration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what is planned into what holds now: targets that name only free room, numbers that rise where something
 * changed, ceilings, and what is done about jobs that keep what they should give up. Owned by the round's thread.
 */
final class PlanPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(PlanPublisher.class);

    private final LatestPlan board;
    private final PlanNumbers numbers;
    private final JobRegistry registry;
    private final Beliefs estimates;
    private final Enforcement enforcement;
    private final ShrinkEnforcer enforcer;
    private final long graceMillis;
    private Map<ApplicationId, Proposal> proposals = Map.of();

    PlanPublisher(
            LatestPlan board,
            PlanNumbers numbers,
            JobRegistry registry,
            Beliefs estimates,
            Enforcement enforcement,
            ShrinkEnforcer enforcer,
            long graceMillis) {
        this.board = board;
        this.numbers = numbers;
        this.registry = registry;
        this.estimates = estimates;
        this.enforcement = enforcement;
        this.enforcer = enforcer;
        this.graceMillis = graceMillis;
    }

    /** A round's result takes the place of the last one's. */
    void adopt(Map<ApplicationId, Proposal> planned, ClusterView view, List<JobView> jobs, long nowMillis) {
        proposals = Map.copyOf(planned);
        publish(view, jobs, nowMillis, true);
    }

    /** What is planned stays; what is possible of it now may have changed. */
    void lookAfter(ClusterView view, List<JobView> jobs, long nowMillis) {
        publish(view, jobs, nowMillis, false);
    }

    /** After a restart: everybody keeps what it says that it has, nobody is given or asked for anything. */
    void keep(ClusterView view, List<JobView> jobs, String reason) {
        Publication publication = new Publication(true);
        Map<ApplicationId, ApplicationUsage> holdings = view.holdings();
        for (JobView job : jobs) {
            Placement members = job.progress().members();
            publication.add(
                    job.id(),
                    new JobPlan(0, members, members, reason, false, OptionalLong.empty(), remaining(job, members)),
                    false);
            ApplicationUsage holding = holdings.get(job.id());
            publication.ceilings.put(
                    job.id(), holding == null ? Ceiling.NOTHING : Ceiling.of(holding.application(), holding.live()));
        }
        publication.finish();
    }

    private void publish(ClusterView view, List<JobView> jobs, long nowMillis, boolean askAgain) {
        Map<String, Resources> free = new TreeMap<>(view.free());
        Map<ApplicationId, ApplicationUsage> holdings = view.holdings();
        Publication publication = new Publication(false);
        for (JobView job : inOrder(jobs)) {
            ApplicationUsage holding = holdings.get(job.id());
            Proposal proposal = proposals.get(job.id());
            if (holding == null || proposal == null) {
                // Registered since the last round: the next one will plan it.
                publication.ceilings.put(job.id(), Ceiling.NOTHING);
                continue;
            }
            registry.holds(job.id(), holding.live().allocation(), nowMillis);
            Placement target = new Target(demands(job.registration()), holding.live(), proposal.planned()).into(free);
            publication.ceilings.put(job.id(), Ceiling.of(holding.application(), target));
            publication.add(
                    job.id(),
                    part(job, holding, proposal, target, nowMillis),
                    askAgain && !target.equals(holding.live()));
        }
        publication.finish();
        enforcement.carryOut(enforcer.advance(nowMillis, holdings.values(), publication.ceilings));
    }

    private JobPlan part(JobView job, ApplicationUsage holding, Proposal proposal, Placement target, long nowMillis) {
        boolean surplus = holding.live().byNode().entrySet().stream()
                .anyMatch(tasks -> !tasks.getValue().isWithin(target.on(tasks.getKey())));
        OptionalLong running =
                board.current().of(job.id()).map(JobPlan::graceEndsMillis).orElseGet(OptionalLong::empty);
        OptionalLong graceEnds =
                surplus ? OptionalLong.of(running.orElse(nowMillis + graceMillis)) : OptionalLong.empty();
        return new JobPlan(
                0,
                proposal.planned(),
                target,
                proposal.reason(),
                proposal.exploring(),
                graceEnds,
                remaining(job, proposal.planned()));
    }

    private Optional<RemainingTime> remaining(JobView job, Placement planned) {
        return estimates
                .of(job.id())
                .flatMap(known -> known.remainingTime(planned.allocation(), registry.gpuSpeed(job, planned)));
    }

    private static Map<Role, RoleDemand> demands(Registration registration) {
        Map<Role, RoleDemand> demands = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            demands.put(role, registration.demand().of(role));
        }
        return demands;
    }

    /** Free room goes to who came first. */
    private static List<JobView> inOrder(List<JobView> jobs) {
        return jobs.stream()
                .sorted(Comparator.comparingLong((JobView job) -> job.facts().submitMillis())
                        .thenComparing(JobView::id))
                .toList();
    }

    /** One plan in the making: parts that did not change keep their number, all others share one new number. */
    private final class Publication {
        private final PublishedPlan before = board.current();
        private final SortedMap<ApplicationId, JobPlan> parts = new TreeMap<>();
        private final SortedMap<ApplicationId, Ceiling> ceilings = new TreeMap<>();
        private final boolean frozen;
        private long number = before.number();

        Publication(boolean frozen) {
            this.frozen = frozen;
        }

        void add(ApplicationId job, JobPlan part, boolean askAgain) {
            Optional<JobPlan> old = before.of(job);
            if (old.isPresent() && !askAgain && part.asksTheSameAs(old.get())) {
                parts.put(job, part.numbered(old.get().number()));
                return;
            }
            if (number == before.number()) {
                number = numbers.next();
            }
            parts.put(job, part.numbered(number));
            registry.planned(job, number, part.planned().allocation(), part.exploring(), part.reason());
            LOG.info(
                    "plan number={} job={} planned={} target={} exploring={} reason={}",
                    number,
                    job,
                    part.planned().allocation(),
                    part.target().byNode(),
                    part.exploring(),
                    part.reason());
        }

        void finish() {
            board.publish(new PublishedPlan(number, frozen, parts));
            enforcement.publish(ceilings);
        }
    }
}
