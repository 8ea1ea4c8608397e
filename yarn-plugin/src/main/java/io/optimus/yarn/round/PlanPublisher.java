package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.SchedulerReason;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Proposal;
import io.optimus.protocol.OneLine;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.OptimusConfiguration.Shrinking;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.enforce.Ceiling;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.enforce.ShrinkAction;
import io.optimus.yarn.enforce.ShrinkEnforcer;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PlanNumbers;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import io.optimus.yarn.validation.Registration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns decisions into the plan in force: the {@linkplain NextSteps next step} of each job, plan numbers that rise with each
 * change, ceilings, and shrink actions for jobs that do not release containers. Owned by the round's thread.
 */
final class PlanPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(PlanPublisher.class);
    /** A target has up to thousands of nodes. */
    private static final int LONGEST_IN_LOG = 1000;

    private final ControlLoop.State state;
    private final PlanNumbers numbers;
    private final Enforcement enforcement;
    private final ShrinkEnforcer enforcer;
    private final NextSteps nextSteps;
    private final Supplier<OptimusConfiguration> configuration;
    private final OptimusMetrics metrics;
    private final BooleanSupplier open;
    private RoundPlan decided = RoundPlan.NONE;
    private Map<ApplicationId, Settled> settled = Map.of();
    private Optional<Published> last = Optional.empty();
    private Set<ApplicationId> withoutPlace = Set.of();

    /**
     * A job that held its target, with what was published for it. As long as nothing of this changes, nothing else does.
     *
     * @param total the size up to which YARN may choose nodes
     */
    private record Settled(
            ApplicationUsage usage,
            Proposal proposal,
            Registration registration,
            Allocation total,
            Ceiling ceiling,
            JobPlan part) {
        @SuppressWarnings("ReferenceEquality") // A change makes another object.
        boolean isStill(NextSteps.Step step) {
            return step.target().usage() == usage
                    && step.proposal() == proposal
                    && step.job().registration() == registration
                    && step.total().equals(total);
        }
    }

    /** What the last publication was made from. */
    private record Published(ClusterView view, RoundPlan decided, List<Registration> registrations) {
        @SuppressWarnings("ReferenceEquality") // A change makes another object.
        boolean isSame(ClusterView viewNow, RoundPlan decidedNow, List<JobView> jobs) {
            boolean same = viewNow == view && decidedNow == decided && jobs.size() == registrations.size();
            for (int i = 0; same && i < jobs.size(); i++) {
                same = jobs.get(i).registration() == registrations.get(i);
            }
            return same;
        }
    }

    /**
     * Publishes plans.
     *
     * @param configuration the settings in force
     * @param open false as soon as the scheduler stops: from then on nothing is published
     */
    PlanPublisher(
            ControlLoop.State state,
            PlanNumbers numbers,
            Enforcement enforcement,
            Supplier<OptimusConfiguration> configuration,
            OptimusMetrics metrics,
            BooleanSupplier open) {
        this.state = state;
        this.numbers = numbers;
        this.enforcement = enforcement;
        this.enforcer = new ShrinkEnforcer(this::times);
        this.nextSteps = new NextSteps(this::growthMillis);
        this.configuration = configuration;
        this.metrics = metrics;
        this.open = open;
    }

    private long growthMillis() {
        return configuration.get().rounds().growthMillis();
    }

    private ShrinkEnforcer.Times times() {
        Shrinking now = configuration.get().shrinking();
        return new ShrinkEnforcer.Times(now.graceMillis(), now.preemptionWaitMillis());
    }

    /** The decisions in force, with the containers that YARN granted since. */
    RoundPlan decided() {
        return decided;
    }

    void publish(RoundPlan plan, ClusterView view, List<JobView> jobs, long nowMillis) {
        decided = plan;
        settled = Map.of();
        publish(view, jobs, nowMillis, true);
    }

    /**
     * Publishes the last round's proposals again, with targets that use what is free now. If nothing has changed and no
     * shrink is under way, the same would be published.
     *
     * @return whether, since the last publication, others have taken room that was planned for a job
     */
    boolean refresh(ClusterView view, List<JobView> jobs, long nowMillis) {
        boolean same = last.filter(before -> before.isSame(view, decided, jobs)).isPresent();
        return (!same || enforcer.watches()) && publish(view, jobs, nowMillis, false);
    }

    /** Publishes a frozen plan after a restart: every job keeps the tasks that it reports. */
    void keep(ClusterView view, List<JobView> jobs, SchedulerReason reason) {
        settled = Map.of();
        last = Optional.empty();
        Publication publication = new Publication(true);
        Map<ApplicationId, ApplicationUsage> usages = view.usages();
        for (JobView job : jobs) {
            Placement members = job.progress().members();
            publication.add(
                    job.id(),
                    new JobPlan(
                            0,
                            members,
                            members,
                            Allocation.NONE,
                            Explanation.of(reason),
                            false,
                            OptionalLong.empty(),
                            OptionalLong.empty(),
                            remaining(job, members)),
                    false);
            publication.ceilings.put(job.id(), held(usages.get(job.id())));
        }
        publication.finish();
    }

    /** The ceiling of a job that keeps the containers that it has. */
    private static Ceiling held(@Nullable ApplicationUsage usage) {
        return usage == null ? Ceiling.NOTHING : Ceiling.of(usage.application(), usage.live());
    }

    private boolean publish(ClusterView view, List<JobView> jobs, long nowMillis, boolean askAgain) {
        NextSteps.Steps next = nextSteps.of(decided, view, jobs, state.plan().current(), nowMillis);
        decided = next.decided();
        Publication publication = new Publication(false);
        // No round has decided about a job that registered after the last one: it keeps its containers and gets no
        // others.
        Map<ApplicationId, ApplicationUsage> usages = view.usages();
        jobs.forEach(job -> publication.ceilings.put(job.id(), held(usages.get(job.id()))));
        Map<ApplicationId, Settled> settledNow = new HashMap<>();
        for (NextSteps.Step step : next.steps()) {
            Settled before = settled.get(step.id());
            if (before != null && before.isStill(step)) {
                publication.keep(step.id(), before.part(), before.ceiling());
                settledNow.put(step.id(), before);
            } else {
                add(publication, step, nowMillis, askAgain).ifPresent(held -> settledNow.put(step.id(), held));
            }
        }
        settled = settledNow;
        publication.finish();
        last = Optional.of(new Published(
                view, decided, jobs.stream().map(JobView::registration).toList()));
        boolean taken = !withoutPlace.containsAll(next.withoutPlace());
        withoutPlace = next.withoutPlace();
        if (open.getAsBoolean()) {
            count(enforcement.carryOut(enforcer.advance(nowMillis, view.usages().values(), publication.ceilings)));
        }
        return taken;
    }

    /** Returns what was published for a job that holds its target. */
    private Optional<Settled> add(Publication publication, NextSteps.Step step, long nowMillis, boolean askAgain) {
        ApplicationUsage usage = step.target().usage();
        Placement target = step.target().target();
        boolean held = target.equals(step.live());
        Ceiling ceiling = Ceiling.of(usage.application(), target, step.total());
        publication.ceilings.put(step.id(), ceiling);
        JobPlan part = publication.add(step.id(), part(step, nowMillis), askAgain && !held);
        return held
                ? Optional.of(
                        new Settled(usage, step.proposal(), step.job().registration(), step.total(), ceiling, part))
                : Optional.empty();
    }

    private void count(List<ShrinkAction> actions) {
        long kills = actions.stream()
                .filter(action -> action.step() == ShrinkAction.Step.KILL)
                .count();
        metrics.killed(kills);
        metrics.askedBack(actions.size() - kills);
    }

    private JobPlan part(NextSteps.Step step, long nowMillis) {
        Placement live = step.live();
        Placement target = step.target().target();
        boolean surplus = live.byNode().entrySet().stream()
                .anyMatch(tasks -> !tasks.getValue().isWithin(target.on(tasks.getKey())));
        Optional<JobPlan> before = state.plan().current().of(step.id());
        OptionalLong running = before.map(JobPlan::graceEndsMillis).orElseGet(OptionalLong::empty);
        OptionalLong graceEnds = surplus
                ? OptionalLong.of(running.orElse(
                        nowMillis + configuration.get().shrinking().graceMillis()))
                : OptionalLong.empty();
        Allocation awaited = step.total().beyond(step.target().kept());
        Explanation decided = step.proposal().explanation();
        Explanation why = awaited.isNone() ? decided : decided.and(new SchedulerReason.AskedOfYarn(awaited));
        return new JobPlan(
                0,
                step.proposal().planned(),
                target,
                awaited,
                configuration.get().mode() == SchedulerMode.ADVISE ? why.and(new SchedulerReason.OnlyAdvice()) : why,
                step.proposal().exploring(),
                growsSince(live, target, before, nowMillis),
                graceEnds,
                remaining(step.job(), step.proposal().planned()));
    }

    /** A target that changes while its containers are awaited does not prolong the time for which its place is kept. */
    private OptionalLong growsSince(Placement live, Placement target, Optional<JobPlan> before, long nowMillis) {
        boolean grows = target.byNode().entrySet().stream()
                .anyMatch(tasks -> !tasks.getValue().isWithin(live.on(tasks.getKey())));
        if (!grows) {
            return OptionalLong.empty();
        }
        OptionalLong since = before.filter(
                        part -> part.target().equals(target) || part.keepsPlace(nowMillis, growthMillis()))
                .map(JobPlan::growsSinceMillis)
                .orElseGet(OptionalLong::empty);
        return OptionalLong.of(since.orElse(nowMillis));
    }

    private Optional<RemainingTime> remaining(JobView job, Placement planned) {
        return state.beliefs()
                .of(job.id())
                .flatMap(known -> known.remainingTime(
                        planned.allocation(), state.registry().gpuSpeed(job, planned), (double)
                                job.progress().step()));
    }

    /** Builds one plan: parts that did not change keep their number, all others share one new number. */
    private final class Publication {
        private final PublishedPlan before = state.plan().current();
        private final SortedMap<ApplicationId, JobPlan> parts = new TreeMap<>();
        private final SortedMap<ApplicationId, Ceiling> ceilings = new TreeMap<>();
        private final boolean frozen;
        private long number = before.number();

        Publication(boolean frozen) {
            this.frozen = frozen;
        }

        /** Publishes the same as before. */
        void keep(ApplicationId job, JobPlan part, Ceiling ceiling) {
            parts.put(job, part);
            ceilings.put(job, ceiling);
        }

        /** Returns the part with its number. Where only missing containers are requested again, the log has no line. */
        JobPlan add(ApplicationId job, JobPlan part, boolean askAgain) {
            Optional<JobPlan> old = before.of(job);
            boolean asksTheSame = old.filter(part::asksTheSameAs).isPresent();
            if (old.isPresent() && asksTheSame && !askAgain) {
                JobPlan same = part.numbered(old.get().number());
                parts.put(job, same);
                return same;
            }
            if (number == before.number()) {
                number = numbers.next();
            }
            JobPlan changed = part.numbered(number);
            parts.put(job, changed);
            state.registry().planned(job, number, part.planned().allocation(), part.exploring(), part.reason());
            if (!asksTheSame) {
                LOG.info(
                        "plan number={} job={} planned={} target={} exploring={} reason={}",
                        number,
                        job,
                        part.planned().allocation(),
                        OneLine.of(part.target().toString(), LONGEST_IN_LOG),
                        part.exploring(),
                        OneLine.of(part.reason(), LONGEST_IN_LOG));
            }
            return changed;
        }

        void finish() {
            if (!open.getAsBoolean()) {
                LOG.info("plan dropped, this scheduler has stopped meanwhile number={}", number);
                return;
            }
            state.plan().publish(new PublishedPlan(number, frozen, parts));
            enforcement.publish(ceilings);
        }
    }
}
