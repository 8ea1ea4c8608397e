package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.knowledge.RemainingSource;
import io.optimus.sim.knowledge.RunOptions;
import java.util.Map;
import org.junit.Test;

public class LearnedGoodputTest {
    private static Begun begin(Profile profile, RemainingSource remaining) {
        Begun begun = new PolluxJob(profile, 10, 4, new BestGoodput(profile, 4))
                .begin(new RunOptions(KnowledgeSource.LEARNED, Batch.ADAPTIVE, remaining, 0, 0), 1);
        begun.training().place(Placement.of(Map.of("n0", new Allocation(0, 1))));
        return begun;
    }

    private static void runEpochs(Begun begun, int epochs) {
        double left = begun.training().remainingSteps() - 100.0 * epochs;
        while (begun.training().remainingSteps() > left) {
            begun.training().run(begun.training().secondsToNextChange());
        }
        begun.knowledge().observe();
    }

    @Test
    public void knowsItsSpeedFromItsFirstStepOn() {
        Begun begun = begin(Models.simple(), new RemainingSource.Declared(0));
        assertThat(begun.knowledge().belief().speed()).isEmpty();
        assertThat(begun.knowledge().belief().young()).isTrue();

        begun.training().run(30);
        begun.knowledge().observe();

        Allocation one = new Allocation(0, 1);
        double believed = begun.knowledge().belief().speed().orElseThrow().stepsPerSecond(one);
        assertThat(believed / begun.training().stepsPerSecond()).isCloseTo(1, within(0.01));
        assertThat(begun.knowledge().belief().young()).isFalse();
    }

    @Test
    public void knowsWhetherItsSpeedWasMeasuredOnANewSize() {
        Begun begun = begin(Models.simple(), new RemainingSource.Declared(0));
        assertThat(begun.knowledge().observe()).isFalse();

        begun.training().run(10);
        assertThat(begun.knowledge().observe()).isTrue();
        begun.training().run(10);
        assertThat(begun.knowledge().observe()).isFalse();

        begun.training().place(Placement.of(Map.of("n0", new Allocation(0, 2))));
        begun.training().run(10);
        assertThat(begun.knowledge().observe()).isTrue();
    }

    @Test
    public void knowsTheEpochsThatWereDeclared() {
        Begun begun = begin(Models.converging(20), new RemainingSource.Declared(0));
        runEpochs(begun, 5);

        assertThat(begun.knowledge().belief().remaining().steps()).hasValue(1500);
    }

    @Test
    public void isWrongByTheSameFactorThroughout() {
        Begun begun = begin(Models.converging(20), new RemainingSource.Declared(0.5));
        double factor = begun.knowledge().belief().remaining().steps().orElseThrow() / 2000;
        runEpochs(begun, 10);

        assertThat(factor).isNotCloseTo(1, within(0.01));
        assertThat(begun.knowledge().belief().remaining().steps().orElseThrow() / 1000)
                .isCloseTo(factor, within(1e-9));
    }

    @Test
    public void predictsTheEndFromItsMetricAlone() {
        Begun begun = begin(Models.converging(60), new RemainingSource.FromCurve());
        runEpochs(begun, 7);
        assertThat(begun.knowledge().belief().remaining().steps())
                .as("too few points")
                .isEmpty();

        runEpochs(begun, 23);
        assertThat(begun.knowledge().belief().remaining().steps().orElseThrow() / 3000)
                .isCloseTo(1, within(0.1));
    }

    @Test
    public void predictsNoEndIfItIsUnknown() {
        Begun begun = begin(Models.converging(20), new RemainingSource.Unknown());
        runEpochs(begun, 10);

        assertThat(begun.knowledge().belief().remaining().steps()).isEmpty();
    }
}
