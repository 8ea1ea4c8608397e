package io.optimus.am.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.EmulatedSpec;
import io.optimus.am.engine.EngineSpec;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.TrainingEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

public final class EngineFactoryTest {
    @Test
    public void makesThePlainEngine() {
        TrainingEngine engine = create(Engines.JAVA, null);

        assertThat(engine).isInstanceOf(PlainPerceptron.class);
        assertThat(engine.paced()).isFalse();
    }

    @Test
    public void makesAPacedEngineAroundAnother() {
        TrainingEngine engine = create(Engines.EMULATED, pace(Engines.JAVA));
        engine.runsOn(new Allocation(1, 1));
        engine.initialise(1);

        assertThat(engine.step(StepPart.of(0))).isPositive();
        assertThat(engine.paced()).isTrue();
    }

    @Test
    public void refusesAnUnknownEngine() {
        assertThatThrownBy(() -> create("torch", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("torch");
    }

    @Test
    public void knowsWhetherNativeLibrariesAreNeeded() {
        assertThat(spec(Engines.EMULATED, pace(Engines.JAVA)).needsNativeLibraries())
                .isFalse();
        assertThat(spec(Engines.EMULATED, pace(Engines.DJL)).needsNativeLibraries())
                .isTrue();
        assertThat(spec(Engines.DJL, null).needsNativeLibraries()).isTrue();
    }

    private static EmulatedSpec pace(String engine) {
        return new EmulatedSpec(engine, 0.001, 0.01, 0, 0, 0);
    }

    private static EngineSpec spec(String engine, @Nullable EmulatedSpec emulated) {
        return new EngineSpec(engine, Engines.MLP, List.of(8), emulated, null);
    }

    private static TrainingEngine create(String engine, @Nullable EmulatedSpec emulated) {
        return EngineFactory.create(spec(engine, emulated), SampleSets.digits(), TrainingMode.SYNCHRONOUS, 64);
    }
}
