package io.optimus.sim.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.belief.BeliefSource;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategies;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.TypicalSpeed;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.RecordingListener;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.RunningCluster;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.SteppingScript;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * Ten jobs are asked about when they are submitted to a cluster that learns, and then really submitted. Their owners know how
 * long a step takes on one worker and one server, and how many steps there are; how far the job scales nobody knows. Of the jobs
 * that run, the forecast knows what the scheduler has learned until then.
 */
public class ForecastAgainstSimulationTest {
    private static final int CASES = 10;
    private static final int JOBS_BEFORE = 6;
    private static final double INTERVAL = 60;
    private static final double PAUSE = 20;

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    private final List<Double> startErrors = new ArrayList<>();
    private final List<Double> endErrors = new ArrayList<>();
    private final List<Double> errorsOfOthers = new ArrayList<>();
    private int othersWithoutEnd;

    private static SimulationSetup setup() {
        return new SimulationSetup(
                SimulationSetup.nodes(BuiltinWorkload.NODES, Resources.of(49_152, 8, BuiltinWorkload.GPUS_PER_NODE)),
                INTERVAL,
                true,
                ResizePause.of(PAUSE),
                Faults.NONE);
    }

    private void predictAndSubmit(int seed, String policy) {
        List<SimulatedJob> drawn = new BuiltinWorkload(
                        JOBS_BEFORE + 1, 3000, ArrivalPattern.UNIFORM, BuiltinWorkload.Modes.MIXED, 20)
                .draw(seed)
                .jobs();
        SimulatedJob asked = drawn.get(drawn.size() - 1);
        NamedStrategy strategy = Strategies.named(policy);
        RecordingListener listener = new RecordingListener();
        RunningCluster cluster = new RunningCluster(new Workload("what-if", drawn), setup(), strategy, seed, listener);
        cluster.runUntilArrivalOf(asked.id());
        double now = cluster.nowSeconds();

        Map<String, ForecastJob> known = new HashMap<>();
        cluster.beliefs().forEach((id, belief) -> known.put(id, learned(belief)));
        known.put(asked.id(), asTheOwnerSays(asked, cluster.steps(asked.id())));
        ForecastResult forecast = Forecast.of(
                cluster::queues,
                known,
                new ForecastSetup(
                        setup().nodes(),
                        GpuTypes.ALIKE,
                        queue -> strategy.bySeed().apply(seed),
                        INTERVAL,
                        1e7),
                () -> true);
        cluster.runToTheEnd();

        JobForecast of = of(forecast, asked.id());
        double start = listener.startSeconds(asked.id()) - now;
        double end = listener.endSeconds(asked.id()) - now;
        startErrors.add(of.startSeconds().orElseThrow() - start);
        endErrors.add(of.endSeconds().orElseThrow() / end - 1);
        print(
                "case %d, %s: start predicted %.0f s, was %.0f s; end predicted %.0f s, was %.0f s (%+.0f %%)",
                seed,
                policy,
                of.startSeconds().orElseThrow(),
                start,
                of.endSeconds().orElseThrow(),
                end,
                100 * (of.endSeconds().orElseThrow() / end - 1));
        forecast.jobs().forEach((id, other) -> {
            if (!id.equals(asked.id()) && other.endSeconds().isPresent()) {
                errorsOfOthers.add(other.endSeconds().getAsDouble() / (listener.endSeconds(id) - now) - 1);
            } else if (!id.equals(asked.id())) {
                othersWithoutEnd++;
            }
        });
    }

    private static JobForecast of(ForecastResult forecast, String id) {
        return Optional.ofNullable(forecast.jobs().get(id)).orElseThrow();
    }

    private static ForecastJob learned(BeliefSource belief) {
        return new ForecastJob(belief.speed(), belief.remaining().steps(), belief);
    }

    private static ForecastJob asTheOwnerSays(SimulatedJob job, double steps) {
        SteppingScript script = (SteppingScript) job.script();
        double seconds = 1 / script.truth().stepsPerSecond(new Allocation(1, 1));
        SpeedFunction typical = script.declared()
                .form()
                .function(TypicalSpeed.coefficients(script.declared().form(), seconds));
        return learned(new FixedBelief(typical, OptionalDouble.of(steps)));
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }

    private static double median(List<Double> errors) {
        List<Double> sorted = errors.stream().map(Math::abs).sorted().toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }

    private static double worst(List<Double> errors) {
        return errors.stream().mapToDouble(Math::abs).max().orElseThrow();
    }

    @Test
    public void predictsWhatThenHappens() {
        for (int seed = 1; seed <= CASES; seed++) {
            predictAndSubmit(seed, seed % 2 == 0 ? "optimus" : "marginal-goodput");
        }
        print(
                "start: median error %.0f s, worst %.0f s; end: median %.0f %%, worst %.0f %%;"
                        + " ends of %d jobs that ran: median %.0f %%, worst %.0f %%, %d without a predicted end",
                median(startErrors),
                worst(startErrors),
                100 * median(endErrors),
                100 * worst(endErrors),
                errorsOfOthers.size(),
                100 * median(errorsOfOthers),
                100 * worst(errorsOfOthers),
                othersWithoutEnd);

        assertThat(startErrors).hasSize(CASES);
        assertThat(median(startErrors)).isLessThanOrEqualTo(INTERVAL);
        assertThat(median(endErrors)).isLessThan(0.2);
    }
}
