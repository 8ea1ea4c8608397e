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
import io.optimus.model.policy.division.GrowthSteps;
import io.optimus.model.policy.division.Participant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A participant with a known speed: its next growth step and the gain of that step. */
final class GrowingJob {
    /** Estimates of jobs with few points are poor: their gain counts a little less (Optimus, section 4.1). */
    private static final double YOUNG = 0.95;
    /** The share of a task that asks for nothing, so that the gain stays finite. */
    private static final double LEAST_SHARE = 1e-9;

    private final Participant participant;
    private final CompletionTime completion;
    private final int mostAtOnce;
    /** The most tasks that may still have room: what had no room once has none later, because less and less is left. */
    private Allocation mostWithRoom;

    private final double shareOfWorker;
    private final double shareOfServer;
    /** Seconds to its end on what it was given so far. */
    private double secondsNow;

    private Allocation next = Allocation.NONE;
    private double secondsAfterNext;
    /** The gain of the next step; cached because jobs are compared by it all the time. */
    private double gain;

    private @Nullable Taken last;
    private Optional<Refusal> refusal = Optional.empty();

    /** A step that was taken, with the gain and the seconds saved of {@code runnerUp}, the job that would have been next. */
    private record Taken(
            Allocation tasks,
            double secondsSaved,
            double gain,
            @Nullable GrowingJob runnerUp,
            double itsGain,
            double itsSecondsSaved) {}

    /** The first step that had no room, the shortage, and the winner of the last unit of the scarce resource. */
    private record Refusal(Allocation tasks, Shortage shortage, Optional<Compared> taker) {}

    /**
     * Creates a growing job.
     *
     * @param participant has at least its minimum, and a known speed
     * @param mostAtOnce most tasks of a role in one step, 1 or more
     */
    GrowingJob(Participant participant, CompletionTime completion, int mostAtOnce) {
        this.participant = participant;
        this.completion = completion;
        this.mostAtOnce = mostAtOnce;
        this.shareOfWorker = share(Role.WORKER);
        this.shareOfServer = share(Role.PARAMETER_SERVER);
        this.secondsNow = completion.seconds(participant.given());
        this.mostWithRoom = job().maximum();
    }

    private double share(Role role) {
        return Math.max(LEAST_SHARE, participant.share(role).part());
    }

    Participant participant() {
        return participant;
    }

    JobSnapshot job() {
        return participant.job();
    }

    /** The gain of the next step; 0 if there is none. */
    double gain() {
        return gain;
    }

    Allocation next() {
        return next;
    }

    Allocation grown() {
        return participant.given().plus(next);
    }

    /**
     * Chooses the next step: the single task with the larger gain or, if none gains, one of both roles together. If that gains
     * nothing either, it tries 2, 4, 8 … at a time.
     */
    void chooseNext() {
        next = GrowthSteps.best(mostWithRoom.beyond(participant.given()), mostAtOnce, true, this::gain);
        secondsAfterNext = completion.seconds(grown());
        gain = next.isNone() ? 0 : gain(next, secondsAfterNext);
    }

    private double gain(Allocation tasks) {
        return gain(tasks, completion.seconds(participant.given().plus(tasks)));
    }

    /** Completion time saved per share of the cluster, discounted for a young job. */
    private double gain(Allocation tasks, double secondsAfter) {
        double ofWorkers = tasks.workers() > 0 ? shareOfWorker : 0;
        double ofServers = tasks.parameterServers() > 0 ? shareOfServer : 0;
        int atATime = Math.max(tasks.workers(), tasks.parameterServers());
        return (secondsNow - secondsAfter)
                / (atATime * (ofWorkers + ofServers))
                * (job().belief().young() ? YOUNG : 1);
    }

    /** The seconds that the next step saves: infinite if it lets the job step; NaN if the job stands still even then. */
    double secondsSavedByNext() {
        return secondsNow - secondsAfterNext;
    }

    /** Records that the next step was given; {@code other} would have been next. */
    void took(@Nullable GrowingJob other) {
        last = new Taken(
                next,
                secondsSavedByNext(),
                gain,
                other,
                other == null ? 0 : other.gain(),
                other == null ? 0 : other.secondsSavedByNext());
        secondsNow = secondsAfterNext;
    }

    /** Records that the next step has no room: its roles grow no further. */
    void refuse(Shortage shortage, Optional<Compared> taker) {
        if (refusal.isEmpty()) {
            refusal = Optional.of(new Refusal(next, shortage, taker));
        }
        Allocation refused = grown();
        boolean both = next.parameterServers() > 0 && next.workers() > 0;
        // Of both roles together, servers are given up first: more workers may have room, and gain, by themselves.
        mostWithRoom = new Allocation(
                next.parameterServers() > 0 ? refused.parameterServers() - 1 : mostWithRoom.parameterServers(),
                next.workers() > 0 && !both ? refused.workers() - 1 : mostWithRoom.workers());
    }

    /** The shares that one step takes, by dominant resource; one sum if both roles have the same one. */
    private List<DominantShare> shares(Allocation tasks) {
        List<DominantShare> shares = new ArrayList<>();
        for (Role role : Role.values()) {
            DominantShare share = participant.share(role);
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

    /** The larger gain over the smaller one; two infinite gains count as equal. */
    static double ratio(double larger, double smaller) {
        return larger == smaller ? 1 : larger / smaller;
    }

    void explain() {
        double saved = completion.seconds(job().trainsOn()) - secondsNow;
        OptionalDouble known = Double.isFinite(saved) ? OptionalDouble.of(saved) : OptionalDouble.empty();
        participant.explain(
                new MarginalGainReason(participant.change(known), growth(), end(), completion.assumedSeconds()));
    }

    private Optional<Growth> growth() {
        return Optional.ofNullable(last)
                .map(taken -> new Growth(taken.tasks(), taken.secondsSaved(), shares(taken.tasks()), runnerUp(taken)));
    }

    private static Optional<Compared> runnerUp(Taken taken) {
        return Optional.ofNullable(taken.runnerUp())
                .map(other ->
                        new Compared(other.job().id(), ratio(taken.gain(), taken.itsGain()), taken.itsSecondsSaved()));
    }

    private GrowthEnd end() {
        if (participant.given().equals(job().maximum())) {
            return new GrowthEnd.AtMaximum();
        }
        return refusal.flatMap(this::noRoom).orElseGet(() -> new GrowthEnd.NoGain(roleAtMaximum()));
    }

    /** Computes what the refused step would save now, because the other role may have grown since. */
    private Optional<GrowthEnd> noRoom(Refusal refused) {
        double saved = secondsNow - completion.seconds(participant.given().plus(refused.tasks()));
        return saved > 0
                ? Optional.of(new GrowthEnd.NoRoom(refused.tasks(), saved, refused.shortage(), refused.taker()))
                : Optional.empty();
    }

    private Optional<Role> roleAtMaximum() {
        return EnumSet.allOf(Role.class).stream()
                .filter(role -> participant.given().count(role)
                        >= job().demand().of(role).max())
                .findFirst();
    }
}
