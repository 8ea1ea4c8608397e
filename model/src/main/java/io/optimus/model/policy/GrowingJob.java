package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.DominantShare;
import io.optimus.model.decision.GrowthEnd;
import io.optimus.model.decision.MarginalGainReason;
import io.optimus.model.decision.MarginalGainReason.Compared;
import io.optimus.model.decision.MarginalGainReason.Growth;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.policy.division.Participant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A contender with a known speed: what it would take next, and what that gains it. */
final class GrowingJob {
    /** Estimates of jobs with few points are poor: their gain counts a little less (Optimus, section 4.1). */
    private static final double YOUNG = 0.95;
    /** Share of a task that asks for nothing: keeps the gain finite. */
    private static final double LEAST_SHARE = 1e-9;

    private static final Allocation WORKER = new Allocation(0, 1);
    private static final Allocation SERVER = new Allocation(1, 0);
    private static final Allocation BOTH = new Allocation(1, 1);

    private final Participant contender;
    private final CompletionTime remaining;
    private final int furthest;
    /** What had no room once has none later: what is left only becomes less. */
    private Allocation largest;

    private final double shareOfWorker;
    private final double shareOfServer;

    /** On what it was given so far. */
    private double secondsNow;

    private Step next = Step.NONE;
    /** Of the next step, here because growers are compared by it all the time. */
    private double gain;

    private Step last = Step.NONE;
    /** Who would have been next when it took the last step, and what he would have gained. */
    private @Nullable GrowingJob runnerUp;

    private double gainOfRunnerUp;
    private Optional<Refusal> refusal = Optional.empty();

    /**
     * A step that could be taken.
     *
     * @param tasks a task, or one of each role, or several at a time
     * @param secondsAfter completion time with it taken
     * @param secondsSaved completion time that it saves; infinite from standing still to stepping
     * @param gain that per share, discounted for a young job; not above 0: there is none
     */
    private record Step(Allocation tasks, double secondsAfter, double secondsSaved, double gain) {
        static final Step NONE = new Step(Allocation.NONE, 0, 0, 0);
    }

    /** What had no room first, why, and who gained as much or more from the last of it. */
    private record Refusal(Allocation tasks, Shortage lack, Optional<Compared> taker) {}

    /**
     * A contender that was given what it is sure of, with a known speed.
     *
     * @param furthest most tasks of a role in one step, 1 or more
     */
    GrowingJob(Participant contender, CompletionTime remaining, int furthest) {
        this.contender = contender;
        this.remaining = remaining;
        this.furthest = furthest;
        this.shareOfWorker = share(Role.WORKER);
        this.shareOfServer = share(Role.PARAMETER_SERVER);
        this.secondsNow = remaining.seconds(contender.given());
        this.largest = contender.job().maximum();
    }

    private double share(Role role) {
        return Math.max(LEAST_SHARE, contender.task(role).share().part());
    }

    Participant contender() {
        return contender;
    }

    JobSnapshot job() {
        return contender.job();
    }

    /** Of the next step; not above 0 where there is none. */
    double gain() {
        return gain;
    }

    /** What it has with the next step taken. */
    Allocation grown() {
        return contender.given().plus(next.tasks());
    }

    /**
     * Chooses the next step: the single task with the larger gain, or, where none gains, one of both roles together (+1
     * alone can be worth nothing where both are worth much). Where that gains nothing either, 2, 4, 8 … at a time.
     */
    void chooseNext() {
        next = Step.NONE;
        Allocation room = largest.beyond(contender.given());
        int most = Math.min(furthest, Math.max(room.parameterServers(), room.workers()));
        for (int atATime = 1; next.gain() == 0 && atATime <= most; atATime *= 2) {
            offer(WORKER.times(atATime), atATime * shareOfWorker);
            offer(SERVER.times(atATime), atATime * shareOfServer);
            if (next.gain() == 0) {
                offer(BOTH.times(atATime), atATime * (shareOfWorker + shareOfServer));
            }
        }
        gain = next.gain();
    }

    private void offer(Allocation tasks, double share) {
        Allocation grown = contender.given().plus(tasks);
        if (!grown.isWithin(largest)) {
            return;
        }
        double after = remaining.seconds(grown);
        double saved = saved(after);
        double gain = saved / share * (job().belief().young() ? YOUNG : 1);
        if (gain > next.gain()) {
            next = new Step(tasks, after, saved, gain);
        }
    }

    /** Infinite from standing still to stepping; from standing still to standing still no number, above nothing. */
    private double saved(double secondsAfter) {
        return secondsNow - secondsAfter;
    }

    /** What is taken next, role by role. */
    Allocation tasksOfNext() {
        return next.tasks();
    }

    /** The next step was given; {@code other} would have been next. */
    void took(@Nullable GrowingJob other) {
        last = next;
        secondsNow = next.secondsAfter();
        runnerUp = other;
        gainOfRunnerUp = other == null ? 0 : other.gain();
    }

    /** The next step has no room: its roles stay as they are. Of both together neither gains alone. */
    void lacks(Shortage lack, Optional<Compared> taker) {
        if (refusal.isEmpty()) {
            refusal = Optional.of(new Refusal(next.tasks(), lack, taker));
        }
        Allocation refused = grown();
        largest = new Allocation(
                next.tasks().parameterServers() > 0 ? refused.parameterServers() - 1 : largest.parameterServers(),
                next.tasks().workers() > 0 ? refused.workers() - 1 : largest.workers());
    }

    /** By resource; of both roles the same one, their sum. */
    private List<DominantShare> shares(Allocation tasks) {
        List<DominantShare> shares = new ArrayList<>();
        for (Role role : Role.values()) {
            DominantShare share = contender.task(role).share();
            if (tasks.count(role) > 0 && share.part() > 0) {
                if (!shares.isEmpty() && shares.get(0).resource().equals(share.resource())) {
                    shares.set(
                            0, new DominantShare(share.resource(), shares.get(0).part() + share.part()));
                } else {
                    shares.add(share);
                }
            }
        }
        return shares;
    }

    /** Larger over smaller gain; two that are infinite are the same. */
    static double ratio(double larger, double smaller) {
        return larger == smaller ? 1 : larger / smaller;
    }

    void explain() {
        double saved = remaining.seconds(job().trainsOn()) - secondsNow;
        OptionalDouble known = Double.isFinite(saved) ? OptionalDouble.of(saved) : OptionalDouble.empty();
        contender.explain(new MarginalGainReason(contender.sizing(known), growth(), end(), remaining.assumedSeconds()));
    }

    private Optional<Growth> growth() {
        if (last.tasks().isNone()) {
            return Optional.empty();
        }
        Optional<Compared> compared = Optional.ofNullable(runnerUp)
                .map(other -> new Compared(other.job().id(), ratio(last.gain(), gainOfRunnerUp)));
        return Optional.of(new Growth(last.tasks(), last.secondsSaved(), shares(last.tasks()), compared));
    }

    private GrowthEnd end() {
        if (contender.given().equals(job().maximum())) {
            return new GrowthEnd.AtMaximum();
        }
        return refusal.flatMap(this::noRoom).orElseGet(() -> new GrowthEnd.NoGain(roleAtMaximum()));
    }

    /** With what the refused step would save now: the other role may have grown meanwhile. */
    private Optional<GrowthEnd> noRoom(Refusal refused) {
        double saved = saved(remaining.seconds(contender.given().plus(refused.tasks())));
        return saved > 0
                ? Optional.of(new GrowthEnd.NoRoom(refused.tasks(), saved, refused.lack(), refused.taker()))
                : Optional.empty();
    }

    private Optional<Role> roleAtMaximum() {
        return EnumSet.allOf(Role.class).stream()
                .filter(role ->
                        contender.given().count(role) >= job().demand().of(role).max())
                .findFirst();
    }
}
