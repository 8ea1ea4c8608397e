package io.optimus.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.report.Recorder;
import io.optimus.sim.report.RunResult.Run;
import io.optimus.sim.report.Statistics;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.TraceReader.Surroundings;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import io.optimus.sim.trace.builtin.BuiltinWorkload.Modes;
import io.optimus.sim.trace.pollux.PolluxFiles;
import java.util.List;
import java.util.Optional;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class LowerBoundTest {
    private static final SimulationSetup SETUP = new SimulationSetup(
            SimulationSetup.nodes(4, Resources.of(49_152, 12, 2)),
            60,
            false,
            new ResizePause(1, 1, false, true),
            Faults.NONE);

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    /** Tries a few jobs that rarely compete, and many jobs at once. */
    @Test
    public void isBeatenByNoPolicy() {
        for (double duration : new double[] {100, 20_000}) {
            Workload workload = new BuiltinWorkload(10, duration, ArrivalPattern.UNIFORM, Modes.MIXED, 8).draw(1);
            Statistics bound = LowerBound.of(workload, 1, SETUP);
            for (String policy : List.of("optimus", "drf", "tetris", "smd", "srtf", "fifo")) {
                Statistics statistics = run(workload, Strategies.named(policy));
                assertThat(statistics.completion().mean())
                        .as(policy)
                        .isGreaterThan(bound.completion().mean());
                assertThat(statistics.makespan()).as(policy).isGreaterThan(bound.makespan());
            }
        }
    }

    /** Tries a policy that keeps batches and one that adapts them. */
    @Test
    public void isBeatenByNoPolicyThatMayAdaptBatches() throws Exception {
        Surroundings surroundings = new Surroundings(Optional.of(PolluxFiles.file("profiles")), 16, 4);
        Workload workload = TraceReaders.read(PolluxFiles.file("workloads/load-0.5/workload-1.csv"), surroundings);
        SimulationSetup setup = new SimulationSetup(
                SimulationSetup.nodes(16, Resources.of(0, 0, 4)), 60, false, ResizePause.of(0), Faults.NONE);
        Statistics bound = LowerBound.of(workload, 1, setup);

        for (String policy : List.of("srtf", "marginal-goodput")) {
            NamedStrategy strategy = Strategies.named(policy);
            Statistics statistics =
                    run(workload, setup, strategy, RunOptions.of(KnowledgeSource.EXACT, strategy.batch()));
            assertThat(statistics.completion().mean())
                    .as(policy)
                    .isGreaterThan(bound.completion().mean());
            assertThat(statistics.makespan()).as(policy).isGreaterThan(bound.makespan());
        }
    }

    private static Statistics run(Workload workload, NamedStrategy policy) {
        return run(workload, SETUP, policy, RunOptions.of(KnowledgeSource.EXACT, Batch.FIXED));
    }

    private static Statistics run(Workload workload, SimulationSetup setup, NamedStrategy policy, RunOptions terms) {
        Recorder recorder = new Recorder(() -> {});
        new Simulation(workload, setup, policy, terms, 1, () -> 0, recorder).run();
        return Statistics.of(
                recorder.result(new Run("", policy.name(), 1), 8, 0).jobs());
    }
}
