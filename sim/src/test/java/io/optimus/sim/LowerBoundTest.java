package io.optimus.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.Foresight;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.Setup;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.Terms;
import io.optimus.sim.report.Recorder;
import io.optimus.sim.report.Statistics;
import io.optimus.sim.trace.Arrivals;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import io.optimus.sim.trace.builtin.BuiltinWorkload.Modes;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class LowerBoundTest {
    private static final Setup SETUP = new Setup(
            Setup.nodes(4, Resources.of(49_152, 12, 2)), 60, false, new ResizePause(1, 1, false, true), Faults.NONE);

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    /** Few jobs, rarely in each other's way, and many at once. */
    @Test
    public void isBeatenByNoPolicy() {
        for (double duration : new double[] {100, 20_000}) {
            Workload workload = new BuiltinWorkload(10, duration, Arrivals.UNIFORM, Modes.MIXED, 8).draw(1);
            Resources capacity =
                    SETUP.nodes().stream().map(NodeSnapshot::capacity).reduce(Resources.NONE, Resources::plus);
            LowerBound bound = LowerBound.of(workload, 1, capacity, 1).orElseThrow();
            for (String policy : List.of("optimus", "drf", "tetris", "smd", "srtf", "fifo")) {
                Statistics statistics = run(workload, Strategies.named(policy));
                assertThat(statistics.meanJct()).as(policy).isGreaterThan(bound.meanJctSeconds());
                assertThat(statistics.makespan()).as(policy).isGreaterThan(bound.makespanSeconds());
            }
        }
    }

    private static Statistics run(Workload workload, NamedStrategy policy) {
        Recorder recorder = new Recorder(ended -> {});
        new Simulation(workload, SETUP, policy, Terms.of(Foresight.TOLD, Batch.FIXED), 1, () -> 0, recorder).run();
        return Statistics.of(recorder.result("", policy.name(), 1, 8, 0).jobs());
    }

    @Test
    public void isTheMeanOverRuns() {
        assertThat(LowerBound.mean(List.of(new LowerBound(1, 10), new LowerBound(3, 30))))
                .isEqualTo(new LowerBound(2, 20));
    }
}
