package io.optimus.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.SimulationListener;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.report.Statistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** These properties hold for every run, under every policy, on any cluster. */
@RunWith(Parameterized.class)
public class WholeRunsTest {
    private static final int RUNS = 8;

    /** The number of runs under a policy whose search takes long. */
    private static final int FEW_RUNS = 1;

    /** The rounding error of sums of seconds in floating point. */
    private static final double ROUNDING_SECONDS = 1e-6;

    /** The longest of these runs has a tenth of this number. */
    private static final int MOST_ROUNDS = 200_000;

    @Parameters(name = "{0}")
    public static List<String> names() {
        return Strategies.names();
    }

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    private final NamedStrategy strategy;

    public WholeRunsTest(String name) {
        strategy = Strategies.named(name);
    }

    @Test
    public void endWithEveryJobDoneAndNoNodeOverfilled() {
        int runs = strategy.name().equals("pollux") ? FEW_RUNS : RUNS;
        for (long seed = 1; seed <= runs; seed++) {
            RandomScenario scenario = RandomScenario.of(seed);
            try {
                Run run = run(scenario, seed);
                check(scenario, seed, run);
            } catch (AssertionError | RuntimeException wrong) {
                throw new AssertionError("seed " + seed + ": " + scenario, wrong);
            }
        }
    }

    @Test
    public void areTheSameWithTheSameSeed() {
        RandomScenario scenario = RandomScenario.of(1);

        assertThat(run(scenario, 1).lines).isEqualTo(run(scenario, 1).lines).isNotEqualTo(run(scenario, 2).lines);
    }

    private Run run(RandomScenario scenario, long seed) {
        Run run = new Run(scenario.setup());
        RunOptions terms = RunOptions.of(strategy.knowledge(), strategy.batch());
        new Simulation(scenario.workload(), scenario.setup(), strategy, terms, seed, () -> 0, run).run();
        return run;
    }

    private static void check(RandomScenario scenario, long seed, Run run) {
        assertThat(run.outcomes).hasSameSizeAs(scenario.workload().jobs());
        long gpus = scenario.setup().capacity().amount(Resources.GPUS);
        for (JobOutcome job : run.outcomes.values()) {
            JobOutcome.Times times = job.times();
            assertThat(times.startSeconds()).as(job.id()).isBetween(times.arrivalSeconds(), times.endSeconds());
            assertThat(times.pausedSeconds()).as(job.id()).isNotNegative();
            assertThat(job.queueSeconds() + times.pausedSeconds())
                    .as("%s waits and pauses", job)
                    .isLessThanOrEqualTo(job.jctSeconds() + ROUNDING_SECONDS);
            assertThat(times.longestWaitSeconds() + times.pausedSeconds())
                    .as("%s stands still", job)
                    .isBetween(job.queueSeconds(), job.jctSeconds() + ROUNDING_SECONDS);
            assertThat(job.gpuSeconds())
                    .as(job.id())
                    .isBetween(0.0, gpus * (times.endSeconds() - times.startSeconds()) + ROUNDING_SECONDS);
            assertThat(job.fairness()).as("fairness of %s", job).isPositive().isFinite();
            assertThat(job.jctSeconds() - times.pausedSeconds() + ROUNDING_SECONDS)
                    .as("%s alone on the cluster", job)
                    .isGreaterThanOrEqualTo(LowerBound.of(scenario.only(job.id()), seed, scenario.setup())
                            .completion()
                            .mean());
        }
        Statistics statistics = Statistics.of(List.copyOf(run.outcomes.values()));
        Statistics bound = LowerBound.of(scenario.workload(), seed, scenario.setup());
        assertThat(statistics.completion().mean())
                .isGreaterThanOrEqualTo(bound.completion().mean());
        assertThat(statistics.makespan()).isGreaterThanOrEqualTo(bound.makespan());
    }

    /** Records what happens, and fails on rounds that fill a node beyond its resources. */
    private static final class Run implements SimulationListener {
        private final Map<String, JobOutcome> outcomes = new TreeMap<>();
        private final List<String> lines = new ArrayList<>();
        private final Map<String, Resources> capacities = new HashMap<>();
        private final Map<SimulatedJob, Placement> placements = new HashMap<>();
        private int rounds;

        Run(SimulationSetup setup) {
            for (NodeSnapshot node : setup.nodes()) {
                capacities.put(node.id(), node.capacity());
            }
        }

        @Override
        public void planned(RoundFacts round) {
            assertThat(++rounds).as("rounds until %s s", round.seconds()).isLessThan(MOST_ROUNDS);
            Map<String, Resources> held = new HashMap<>();
            placements.forEach((job, placement) -> placement
                    .byNode()
                    .forEach((node, tasks) -> held.merge(node, job.demand().resources(tasks), Resources::plus)));
            held.forEach(
                    (node, resources) -> assertThat(resources.fitsIn(capacities.getOrDefault(node, Resources.NONE)))
                            .as("%s holds %s at %s s", node, resources, round.seconds())
                            .isTrue());
        }

        @Override
        public void moved(double nowSeconds, SimulatedJob job, Placement to) {
            placements.put(job, to);
            lines.add(nowSeconds + " " + job.id() + " " + to.byNode());
        }

        @Override
        public void ended(JobOutcome outcome) {
            assertThat(outcomes.put(outcome.id(), outcome)).isNull();
        }
    }
}
