package io.optimus.yarn.history;

import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.LastRun;
import io.optimus.model.numerics.Medians;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.yarn.history.PastJob.Outcome;
import io.optimus.yarn.jobs.CheckedLife;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import io.optimus.yarn.jobs.JobEnd;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.RunKind;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The jobs that ended last, however they did. Soft state: a restart or a failover of the ResourceManager forgets them. A job takes
 * at most about 12 KB: its text and its losses are bounded.
 *
 * <p>Thread-safe. Rounds tell of running jobs, the training service and the scheduler's events of their ends, and REST reads.
 */
public final class PastJobs {
    /** A speed function with its measurements takes some kilobytes. */
    private static final int MOST_LEARNED = 200;

    private final IntSupplier most;
    private final LongSupplier wallClock;
    /** Ends that events told of; the scheduler's thread waits for nobody here. */
    private final ConcurrentMap<ApplicationId, Outcome> outcomes = new ConcurrentHashMap<>();

    private final Map<ApplicationId, Last> running = new HashMap<>();
    /** The oldest first. */
    private final LinkedHashMap<ApplicationId, PastJob> ended = new LinkedHashMap<>();

    /** The newest last. */
    private final LinkedHashMap<NameOfUser, LearnedJob> learned = new LinkedHashMap<>();

    private record NameOfUser(String user, String name) {}

    /**
     * What was learned of a job that trained to its end.
     *
     * @param id its application
     * @param kind what the next run must have in common with it
     * @param speed steps per second by size, on GPUs of speed 1
     * @param steps its steps in all
     * @param brief whether it was so short that it was hardly measured
     */
    public record LearnedJob(ApplicationId id, RunKind kind, SpeedFunction speed, long steps, boolean brief) {}

    /** What is known of a job whose application has not ended. */
    private record Last(JobView job, Optional<JobPlan> plan, List<CheckedPrediction> checked, JobEnd end) {}

    /**
     * No job has ended yet.
     *
     * @param most how many are kept
     * @param wallClock milliseconds since 1970
     */
    public PastJobs(IntSupplier most, LongSupplier wallClock) {
        this.most = most;
        this.wallClock = wallClock;
    }

    /** Takes in all registered {@code jobs}; those that were there before and are not any more have ended. */
    public synchronized void observe(List<JobView> jobs, PublishedPlan plan) {
        Map<ApplicationId, Last> now = new HashMap<>();
        for (JobView job : jobs) {
            Optional<Last> last = Optional.ofNullable(running.get(job.id()));
            now.put(
                    job.id(),
                    new Last(
                            job,
                            planOf(job, last, plan),
                            last.map(Last::checked).orElse(List.of()),
                            last.map(Last::end).orElse(JobEnd.UNTOLD)));
        }
        settle(now::containsKey);
        running.putAll(now);
    }

    /** Once a job has finished, its plan only says so. What was decided before that is kept. */
    private static Optional<JobPlan> planOf(JobView job, Optional<Last> last, PublishedPlan plan) {
        Optional<JobPlan> before = last.flatMap(Last::plan);
        return job.state() == JobView.State.FINISHED && before.isPresent() ? before : plan.of(job.id());
    }

    /**
     * Notes the end of {@code job}, as its ApplicationMaster tells it; its application may go on for a while.
     *
     * @param life what was predicted of it, where that is known
     * @param end what it leaves
     */
    public synchronized void finished(JobView job, boolean asItShould, Optional<CheckedLife> life, JobEnd end) {
        outcomes.put(job.id(), asItShould ? Outcome.SUCCEEDED : Outcome.FAILED);
        Optional<Last> last = Optional.ofNullable(running.get(job.id()));
        running.put(
                job.id(),
                new Last(
                        job,
                        last.flatMap(Last::plan),
                        life.map(CheckedLife::checked)
                                .or(() -> last.map(Last::checked))
                                .orElse(List.of()),
                        end.withLosses(PastJob.thinned(end.losses()))));
    }

    /**
     * Keeps what was learned of {@code job}, which has trained to its end, for the user's next job of this name.
     *
     * @param estimate the scheduler's last one
     * @param life how long it trained, where that is known
     */
    public void learned(JobView job, Optional<Estimate> estimate, Optional<CheckedLife> life) {
        boolean brief = life.filter(PastSpeed::isBrief).isPresent();
        PastSpeed.of(job, estimate, life).ifPresent(speed -> learned(job, speed, brief));
    }

    private synchronized void learned(JobView job, SpeedFunction speed, boolean brief) {
        NameOfUser name = new NameOfUser(job.facts().user(), job.registration().name());
        learned.remove(name);
        learned.put(
                name,
                new LearnedJob(job.id(), RunKind.of(job), speed, job.progress().step(), brief));
        if (learned.size() > MOST_LEARNED) {
            learned.remove(oldestOfTheUserWithMost());
        }
    }

    /** So no user's jobs take the place of all others'. */
    private NameOfUser oldestOfTheUserWithMost() {
        Map<String, Long> byUser =
                learned.keySet().stream().collect(Collectors.groupingBy(NameOfUser::user, Collectors.counting()));
        long most = Collections.max(byUser.values());
        return learned.keySet().stream()
                .filter(name -> byUser.getOrDefault(name.user(), 0L) == most)
                .findFirst()
                .orElseThrow();
    }

    /** What was learned of the user's last job of this name that trained to its end; it may have trained in another way. */
    public synchronized Optional<LearnedJob> learned(String user, String name) {
        return Optional.ofNullable(learned.get(new NameOfUser(user, name)));
    }

    /** The user's last job of this name that trained to its end, if it trained in the same way and until the same rule. */
    public Optional<LastRun> lastRun(JobView job) {
        return learned(job.facts().user(), job.registration().name())
                .filter(last -> last.steps() > 0 && last.kind().equals(RunKind.of(job)))
                .map(last -> new LastRun(last.speed(), (double) last.steps(), last.brief()));
    }

    /** Notes how an application of a job ended, unless its ApplicationMaster has told. Waits for no lock. */
    public void applicationEnded(ApplicationId application, Outcome outcome) {
        outcomes.putIfAbsent(application, outcome);
    }

    /**
     * The jobs that are kept, the newest first.
     *
     * @param registered which jobs have not ended
     */
    public synchronized List<PastJob> newestFirst(Predicate<ApplicationId> registered) {
        settle(registered);
        List<PastJob> all = new ArrayList<>(ended.values());
        Collections.reverse(all);
        return all;
    }

    /** The ended job of {@code application}; empty if it is not kept. */
    public synchronized Optional<PastJob> find(ApplicationId application, Predicate<ApplicationId> registered) {
        settle(registered);
        return Optional.ofNullable(ended.get(application));
    }

    /**
     * The median errors of all jobs that have ended after each of {@link CheckedLife#FRACTIONS}; there is none where no job has
     * one.
     *
     * @param error the error of one prediction
     */
    public synchronized SortedMap<Double, Double> medianErrors(Function<CheckedPrediction, OptionalDouble> error) {
        List<CheckedPrediction> all = new ArrayList<>();
        ended.values().forEach(job -> all.addAll(job.checked()));
        running.values().forEach(last -> all.addAll(last.checked()));
        SortedMap<Double, Double> medians = new TreeMap<>();
        for (double fraction : CheckedLife.FRACTIONS) {
            double[] errors = all.stream()
                    .filter(checked -> checked.fraction() == fraction)
                    .map(error)
                    .flatMapToDouble(OptionalDouble::stream)
                    .toArray();
            if (errors.length > 0) {
                medians.put(fraction, Medians.mean(errors));
            }
        }
        return medians;
    }

    /** Forgets all jobs. */
    public synchronized void clear() {
        running.clear();
        ended.clear();
        learned.clear();
        outcomes.clear();
    }

    private void settle(Predicate<ApplicationId> registered) {
        for (Iterator<Map.Entry<ApplicationId, Last>> all = running.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<ApplicationId, Last> each = all.next();
            if (!registered.test(each.getKey())) {
                end(each.getKey(), each.getValue());
                all.remove();
            }
        }
        outcomes.keySet().retainAll(running.keySet());
        while (ended.size() > most.getAsInt()) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    private void end(ApplicationId id, Last last) {
        Outcome outcome = outcomes.getOrDefault(id, Outcome.UNKNOWN);
        String reason = last.plan().map(JobPlan::reason).orElse("");
        ended.put(id, PastJob.of(last.job(), reason, outcome, wallClock.getAsLong(), last.checked(), last.end()));
    }
}
