package io.optimus.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.sim.knowledge.RunOptions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class SimulationTest {
    private static final RunOptions EXACT = RunOptions.of(KnowledgeSource.EXACT, Batch.FIXED);

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final RecordingListener listener = new RecordingListener();

    private static SimulationSetup fourGpus(double interval, ResizePause pause, Faults faults) {
        return new SimulationSetup(SimulationSetup.nodes(1, Resources.of(0, 0, 4)), interval, false, pause, faults);
    }

    private RecordingListener run(SimulationSetup setup, NamedStrategy strategy, SimulatedJob... jobs) {
        new Simulation(new Workload("test", List.of(jobs)), setup, strategy, EXACT, 1, () -> 0, listener).run();
        return listener;
    }

    @Test
    public void startsJobsAtRoundsAfterTheirPauseOrLetsThemWaitForResources() {
        run(
                fourGpus(60, ResizePause.of(30), Faults.NONE),
                FixedSizePolicy.asAsked(),
                AllReduceJobs.job("a", 70, 3, 300),
                AllReduceJobs.job("b", 80, 2, 100));

        // a: tasks at 120, steps from 150 at 3/s.
        // b: resources are free from 250 on, tasks at 300, steps from 330 at 2/s.
        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(250);
        assertThat(listener.outcome("a").jctSeconds()).isEqualTo(180);
        assertThat(listener.outcome("a").gpuSeconds()).isEqualTo(390);
        assertThat(listener.outcome("b").queueSeconds()).isEqualTo(220);
        assertThat(listener.outcome("b").times().endSeconds()).isEqualTo(380);
        assertThat(listener.outcome("b").resizes()).isZero();
    }

    @Test
    public void holdsOneRoundInEachIntervalIfItsMultiplesAreRounded() {
        run(
                fourGpus(1.3, ResizePause.of(0), Faults.NONE),
                FixedSizePolicy.asAsked(),
                AllReduceJobs.job("a", 0, 1, 130.5));

        assertThat(listener.rounds)
                .extracting(SimulationListener.RoundFacts::seconds)
                .hasSize(101)
                .doesNotHaveDuplicates()
                .endsWith(130.0);
    }

    @Test
    public void jobsDoNotStepDuringAResize() {
        run(
                fourGpus(60, ResizePause.of(10), Faults.NONE),
                FixedSizePolicy.quarters(),
                AllReduceJobs.job("a", 0, 4, 400),
                AllReduceJobs.job("b", 30, 4, 100));

        // a: 200 steps until 60; both step from 70 on at 2/s; b ends at 120; a: 300 done, from 130 on at 4/s.
        JobOutcome a = listener.outcome("a");
        assertThat(a.times().endSeconds()).isEqualTo(155);
        assertThat(a.resizes()).isEqualTo(2);
        assertThat(a.times().pausedSeconds()).isEqualTo(30);
        assertThat(a.gpuSeconds()).isEqualTo(4 * 60 + 2 * 60 + 4 * 35);
        assertThat(listener.outcome("b").times().endSeconds()).isEqualTo(120);
    }

    @Test
    public void runsFasterOnFasterGpus() {
        SimulationSetup mixed = new SimulationSetup(
                SimulationSetup.nodes(List.of("slow", "fast"), Resources.of(0, 0, 4)),
                new GpuTypes(new TreeMap<>(Map.of("slow", 1.0, "fast", 1.6))),
                60,
                false,
                ResizePause.of(0),
                Faults.NONE);

        run(mixed, FixedSizePolicy.asAsked(), AllReduceJobs.job("a", 0, 4, 320), AllReduceJobs.job("b", 0, 4, 320));

        // a has all of the fast node, 6.4/s. An equal share of it would give b 3.2/s, so b takes the slow node, 4/s.
        // At 60, b has done 240 steps and changes its type, because resizes cost nothing.
        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(50);
        assertThat(listener.outcome("b").times().endSeconds()).isEqualTo(72.5);
        assertThat(listener.outcome("b").resizes()).isEqualTo(1);
    }

    @Test
    public void refusesJobsThatFitOnNoTypeOfGpus() {
        SimulationSetup mixed = new SimulationSetup(
                SimulationSetup.nodes(List.of("slow", "fast"), Resources.of(0, 0, 2)),
                GpuTypes.ALIKE,
                60,
                false,
                ResizePause.of(0),
                Faults.NONE);
        SimulatedJob any = AllReduceJobs.job("a", 0, 3, 10);
        SimulatedJob large = new SimulatedJob(
                any.id(),
                any.model(),
                any.submission(),
                new JobDemand(
                        RoleDemand.NONE, new RoleDemand(any.demand().workers().task(), 3, 4)),
                any.requested(),
                any.pauses(),
                any.script());

        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> run(mixed, FixedSizePolicy.asAsked(), large))
                .withMessageContaining("never fit on the cluster: a (");
    }

    @Test
    public void firstStartMayBeFree() {
        run(
                fourGpus(60, new ResizePause(30, 30, false, false), Faults.NONE),
                FixedSizePolicy.asAsked(),
                AllReduceJobs.job("a", 0, 2, 100));

        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(50);
        assertThat(listener.outcome("a").times().pausedSeconds()).isZero();
    }

    @Test
    public void roundsAreHeldOnlyWhileAnyJobIsActive() {
        run(
                fourGpus(60, ResizePause.of(0), Faults.NONE),
                FixedSizePolicy.asAsked(),
                AllReduceJobs.job("a", 0, 1, 90),
                AllReduceJobs.job("b", 6_000_000, 1, 10));

        assertThat(listener.rounds)
                .extracting(SimulationListener.RoundFacts::seconds)
                .containsExactly(0.0, 60.0, 6_000_000.0);
    }

    @Test
    public void reportsTheLongestWaitAndComparesAJobWithItsEqualShare() {
        run(
                fourGpus(60, ResizePause.of(0), Faults.NONE),
                FixedSizePolicy.asAsked(),
                AllReduceJobs.job("a", 0, 4, 400),
                AllReduceJobs.job("b", 0, 4, 400));

        JobOutcome second = listener.outcome("b");
        assertThat(second.times().longestWaitSeconds()).isEqualTo(120);
        // It waits for 120 s and runs for 100 s, and the other job is there for 100 s of these 220 s. That makes 1.45
        // jobs on
        // average, and 2 of 4 GPUs for each.
        assertThat(second.equalShareSeconds()).isEqualTo(200);
        assertThat(second.fairness()).isEqualTo(220.0 / 200);
    }

    @Test
    public void arrivalsAndEndsMayTriggerARoundAtOnce() {
        SimulationSetup setup = new SimulationSetup(
                SimulationSetup.nodes(1, Resources.of(0, 0, 4)), 600, true, ResizePause.of(0), Faults.NONE);
        run(setup, FixedSizePolicy.asAsked(), AllReduceJobs.job("a", 7, 4, 40), AllReduceJobs.job("b", 8, 4, 40));

        assertThat(listener.outcome("a").times().endSeconds()).isEqualTo(17);
        assertThat(listener.outcome("b").times().endSeconds()).isEqualTo(27);
    }

    @Test
    public void aSpeedMeasuredOnANewSizeTriggersARound() {
        SimulationSetup setup = new SimulationSetup(
                SimulationSetup.nodes(1, Resources.of(0, 0, 4)), 600, true, ResizePause.of(10), Faults.NONE);
        RunOptions learned = RunOptions.of(KnowledgeSource.LEARNED, Batch.FIXED);
        Workload workload = new Workload("test", List.of(AllReduceJobs.job("a", 0, 4, 4 * 1500)));
        new Simulation(workload, setup, FixedSizePolicy.asAsked(), learned, 1, () -> 0, listener).run();

        // It steps from 10 s on, is measured for 5 s, and then stays on the same size.
        assertThat(listener.rounds)
                .extracting(SimulationListener.RoundFacts::seconds)
                .containsExactly(0.0, 15.0, 600.0, 1200.0);
    }

    @Test
    public void jobsOfAFailedNodeWaitUntilItIsBack() {
        // The node fails after a second on average and is back after 500 s: the job cannot run before.
        Faults faults = new Faults(1, 500, Double.POSITIVE_INFINITY, 1, 0.5);
        SimulationSetup setup = fourGpus(60, ResizePause.of(0), faults);
        Workload workload = new Workload("test", List.of(AllReduceJobs.job("a", 0, 4, 400_000)));
        Simulation simulation = new Simulation(workload, setup, FixedSizePolicy.asAsked(), EXACT, 1, () -> 0, listener);
        for (int i = 0; i < 200; i++) {
            simulation.step();
        }

        assertThat(listener.lines).hasSizeGreaterThan(4);
        for (int i = 0; i + 1 < listener.lines.size(); i += 2) {
            assertThat(listener.lines.get(i)).endsWith("{n000=4 workers}");
            assertThat(listener.lines.get(i + 1)).endsWith("{}");
        }
    }

    @Test
    public void stragglersSlowTheirJobDownUntilTheyAreReplaced() {
        // The first of 4 workers straggles after 0.25 s on average; nothing replaces it within the job.
        Faults faults = new Faults(Double.POSITIVE_INFINITY, 1, 1, 1e9, 0.5);
        run(fourGpus(60, ResizePause.of(0), faults), FixedSizePolicy.asAsked(), AllReduceJobs.job("a", 0, 4, 40_000));

        assertThat(listener.outcome("a").times().endSeconds()).isCloseTo(20_000, within(5.0));
    }

    @Test
    public void refusesAPlanBeyondTheCluster() {
        assertThatThrownBy(() -> run(
                        fourGpus(60, ResizePause.of(0), Faults.NONE),
                        FaultyStrategies.overCommitting(),
                        AllReduceJobs.job("a", 0, 4, 40),
                        AllReduceJobs.job("b", 0, 4, 40)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("over-committing")
                .hasMessageContaining("n000");
    }

    @Test
    public void refusesAPolicyThatNeverStartsAJob() {
        assertThatThrownBy(() -> run(
                        fourGpus(60, ResizePause.of(0), Faults.NONE),
                        FixedSizePolicy.nothing(),
                        AllReduceJobs.job("a", 0, 4, 40)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nothing started none of 1 waiting jobs");
    }

    @Test
    public void refusesJobsThatNeverFit() {
        SimulationSetup none = new SimulationSetup(
                SimulationSetup.nodes(1, Resources.of(0, 8, 0)), 60, false, ResizePause.of(0), Faults.NONE);
        assertThatThrownBy(() -> run(
                        none,
                        FixedSizePolicy.asAsked(),
                        AllReduceJobs.job("a", 0, 4, 40),
                        AllReduceJobs.job("b", 0, 4, 40)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a (")
                .hasMessageContaining("b (");
    }
}
