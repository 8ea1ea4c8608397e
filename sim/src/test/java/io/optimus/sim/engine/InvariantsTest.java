package io.optimus.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.Strategies;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import io.optimus.sim.trace.builtin.BuiltinWorkload.Modes;
import java.util.HashMap;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** These properties hold after every event, with all kinds of faults. */
public class InvariantsTest {
    private static final Resources NODE = Resources.of(49_152, 12, 2);

    /** A node fails every 5,000 s, a worker straggles every 2,000 s. */
    private static final Faults FAULTS = new Faults(40_000, 900, 2_000, 300, 0.5);

    @Rule
    public final Timeout timeout = Timeout.seconds(120);

    @Test
    public void holdAfterEveryEvent() {
        for (long seed = 1; seed <= 2; seed++) {
            Simulation simulation = simulation(seed, new RecordingListener());
            double before = 0;
            while (!simulation.isOver()) {
                Map<String, Double> remaining = remaining(simulation);
                simulation.step();
                String when = "seed " + seed + ", " + simulation.state().nowSeconds() + " s";
                assertThat(simulation.state().nowSeconds()).as(when).isGreaterThanOrEqualTo(before);
                before = simulation.state().nowSeconds();
                nodesHoldWhatTheyHave(simulation, when);
                jobsRunWholeOrNotAtAll(simulation, when);
                remaining(simulation).forEach((job, steps) -> assertThat(steps)
                        .as("%s: work of %s", when, job)
                        .isBetween(0.0, remaining.getOrDefault(job, Double.POSITIVE_INFINITY)));
            }
        }
    }

    @Test
    public void everyJobEndsWithItsWorkDone() {
        RecordingListener listener = new RecordingListener();
        simulation(4, listener).run();

        assertThat(listener.outcomes).hasSize(16);
        assertThat(listener.outcomes.values()).extracting(JobOutcome::times).allSatisfy(times -> {
            assertThat(times.startSeconds()).isGreaterThanOrEqualTo(times.arrivalSeconds());
            assertThat(times.endSeconds()).isGreaterThan(times.startSeconds());
            assertThat(times.pausedSeconds()).isBetween(0.0, times.endSeconds() - times.startSeconds());
        });
    }

    @Test
    public void sameSeedGivesTheSameEvents() {
        RecordingListener one = new RecordingListener();
        RecordingListener other = new RecordingListener();
        RecordingListener third = new RecordingListener();
        simulation(5, one).run();
        simulation(5, other).run();
        simulation(6, third).run();

        assertThat(one.lines).isEqualTo(other.lines).isNotEqualTo(third.lines);
        assertThat(one.outcomes).isEqualTo(other.outcomes);
    }

    private static Simulation simulation(long seed, RecordingListener listener) {
        NamedStrategy optimus = Strategies.named("optimus");
        return new Simulation(
                new BuiltinWorkload(16, 3_000, ArrivalPattern.GOOGLE, Modes.MIXED, 12).draw(seed),
                new SimulationSetup(
                        SimulationSetup.nodes(5, NODE), 60, true, new ResizePause(1, 30, false, true), FAULTS),
                optimus,
                RunOptions.of(optimus.knowledge(), optimus.batch()),
                seed,
                () -> 0,
                listener);
    }

    private static Map<String, Double> remaining(Simulation simulation) {
        Map<String, Double> remaining = new HashMap<>();
        for (ActiveJob job : simulation.state().active()) {
            remaining.put(job.job().id(), job.training().remainingSteps());
        }
        return remaining;
    }

    private static void nodesHoldWhatTheyHave(Simulation simulation, String when) {
        Map<String, Resources> held = new HashMap<>();
        for (ActiveJob job : simulation.state().active()) {
            job.placement()
                    .byNode()
                    .forEach(
                            (node, tasks) -> held.merge(node, job.job().demand().resources(tasks), Resources::plus));
        }
        Map<String, Resources> up = new HashMap<>();
        for (NodeSnapshot node : simulation.state().nodes().snapshot().nodes()) {
            up.put(node.id(), node.capacity());
        }
        held.forEach((node, resources) -> assertThat(resources.fitsIn(up.getOrDefault(node, Resources.NONE)))
                .as("%s: %s holds %s", when, node, resources)
                .isTrue());
    }

    private static void jobsRunWholeOrNotAtAll(Simulation simulation, String when) {
        for (ActiveJob job : simulation.state().active()) {
            Allocation size = job.placement().allocation();
            assertThat(size.isNone() || new Allocation(1, 1).isWithin(size))
                    .as("%s: %s on %s", when, job.job().id(), size)
                    .isTrue();
        }
    }
}
