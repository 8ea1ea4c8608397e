package io.optimus.sim.forecast;

import io.optimus.model.job.JobSnapshot;
import io.optimus.model.plan.Proposal;
import io.optimus.model.plan.QueueSnapshot;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.QueueSource;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.forecast.ForecastResult.End;
import io.optimus.sim.forecast.JobForecast.SizeAt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Fast-forwards a cluster from the state that a round saw, until all jobs have ended whose end is predicted: rounds plan with the
 * {@link io.optimus.model.plan.Planner} of the ResourceManager, and jobs do what the scheduler believes.
 *
 * <p>It assumes that no other job is submitted, that ordinary applications keep what they hold and ask for, that no node fails, and
 * that plans take effect at once, after the pause of a resize. A job whose end is not predicted holds its tasks as long as the
 * forecast lasts.
 *
 * <p>Example: a job with 100 steps left holds the only node, at 2 steps/s, and pauses take 10 s. A second job with 50 steps at
 * 1 step/s starts at 50 s, trains from 60 s on and ends at 110 s.
 */
public final class Forecast {
    /** Jobs have more rounds than these only where jobs start or end: a week of rounds each minute would take minutes. */
    private static final int MOST_REGULAR_ROUNDS = 500;

    /** Policies in which jobs take turns change something sooner than that. */
    private static final int QUIET_ROUNDS = 60;

    private final Map<String, ForecastJob> jobs;
    private final Map<String, JobSnapshot> starts = new TreeMap<>();
    private final Map<String, Proposal> first = new HashMap<>();
    private final Watched watched = new Watched();
    private final Simulation simulation;
    private final double beganSeconds;
    private final double roundSeconds;
    private final double mostSeconds;
    private Optional<End> end = Optional.empty();

    private Forecast(QueueSource queues, Map<String, ForecastJob> jobs, ForecastSetup setup) {
        this.jobs = jobs;
        for (QueueSnapshot queue : queues.without(Set.of())) {
            queue.jobs().forEach(job -> starts.put(job.job().id(), job.job()));
        }
        starts.forEach((id, job) -> watched.begins(id, job.current().allocation()));
        this.roundSeconds = Math.max(setup.intervalSeconds(), longestSeconds() / MOST_REGULAR_ROUNDS);
        this.mostSeconds = setup.mostSeconds();
        Map<String, SimulatedJob.Script> scripts = new HashMap<>();
        starts.keySet().forEach(id -> scripts.put(id, BelievedTraining.script(job(id))));
        this.simulation = Simulation.from(
                queues,
                scripts,
                new SimulationSetup(
                        setup.nodes(), setup.gpuTypes(), roundSeconds, true, ResizePause.of(0), Faults.NONE),
                setup.strategyOfQueue(),
                watched);
        this.beganSeconds = simulation.nowSeconds();
    }

    /**
     * Makes a forecast.
     *
     * @param queues the queues and their jobs at the beginning, a job that would be submitted now among them
     * @param jobs what is known of each of these jobs, by id
     * @param goesOn asked before each event whether there is time to compute
     */
    public static ForecastResult of(
            QueueSource queues, Map<String, ForecastJob> jobs, ForecastSetup setup, BooleanSupplier goesOn) {
        Forecast forecast = new Forecast(queues, jobs, setup);
        return forecast.run(goesOn);
    }

    private ForecastJob job(String id) {
        ForecastJob job = jobs.get(id);
        if (job == null) {
            throw new IllegalArgumentException("Nothing is known of job " + id);
        }
        return job;
    }

    /** The longest time that a job would still take on its smallest size. */
    private double longestSeconds() {
        return starts.values().stream()
                .filter(job -> job(job.id()).ends())
                .mapToDouble(job -> job(job.id())
                        .speed()
                        .orElseThrow()
                        .seconds(job(job.id()).remainingSteps().getAsDouble(), job.minimum()))
                .filter(Double::isFinite)
                .max()
                .orElse(0);
    }

    private ForecastResult run(BooleanSupplier goesOn) {
        simulation.run(() -> {
            noteFirstDecisions();
            end = goesOn.getAsBoolean() ? whyNoFurther() : Optional.of(End.TIME_BUDGET);
            return end.isEmpty();
        });
        noteFirstDecisions();
        SortedMap<String, JobForecast> forecasts = new TreeMap<>();
        starts.forEach((id, start) -> forecasts.put(id, forecast(id, start)));
        return new ForecastResult(
                forecasts, simulation.nowSeconds() - beganSeconds, roundSeconds, end.orElse(End.ALL_ENDED));
    }

    private void noteFirstDecisions() {
        if (watched.rounds() > 0 && first.isEmpty()) {
            starts.keySet().forEach(id -> simulation.inForce(id).ifPresent(decided -> first.put(id, decided)));
        }
    }

    private Optional<End> whyNoFurther() {
        List<String> coming = starts.keySet().stream()
                .filter(id -> job(id).ends() && !watched.hasEnded(id))
                .toList();
        if (coming.isEmpty() && watched.rounds() > 0) {
            // Jobs without a predicted end may have started now.
            return Optional.of(End.ALL_ENDED);
        }
        if (watched.quietRounds() > QUIET_ROUNDS && coming.stream().noneMatch(watched::holdsTasks)) {
            return Optional.of(End.NOTHING_CHANGES);
        }
        return simulation.nowSeconds() - beganSeconds > mostSeconds ? Optional.of(End.HORIZON) : Optional.empty();
    }

    private JobForecast forecast(String id, JobSnapshot start) {
        OptionalDouble end = watched.end(id);
        List<SizeAt> sizes = watched.sizes(id).stream()
                .filter(size -> size.seconds() < end.orElse(Double.POSITIVE_INFINITY))
                .map(size -> new SizeAt(Math.max(0, size.seconds() - beganSeconds), size.size()))
                .toList();
        boolean held = !start.current().allocation().isNone();
        return new JobForecast(
                first.getOrDefault(id, Proposal.of(start.current())),
                sizes.isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(sizes.get(0).seconds()),
                end.isPresent() ? OptionalDouble.of(end.getAsDouble() - beganSeconds) : end,
                job(id).ends(),
                sizes,
                Math.max(0, watched.changes(id) - (held ? 0 : 1)));
    }
}
