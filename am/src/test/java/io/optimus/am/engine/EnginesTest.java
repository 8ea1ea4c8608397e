package io.optimus.am.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.List;
import org.junit.Test;

public class EnginesTest {
    private static final EmulatedSpec PACE = new EmulatedSpec("java", 0.001, 0.01, 0, 0, 0);

    @Test
    public void makesThePlainEngine() {
        TrainingEngine engine = create(EngineSpec.mlp(Engines.JAVA, 64));
        assertThat(engine).isInstanceOf(PlainPerceptron.class);
        assertThat(engine.paced()).isFalse();
    }

    @Test
    public void makesAPacedEngineAroundAnother() {
        TrainingEngine engine = create(EngineSpec.mlp(Engines.JAVA, 8).paced(PACE));
        engine.runsOn(new Allocation(1, 1));
        engine.initialise(1);
        assertThat(engine.step(new int[] {0})).isPositive();
        assertThat(engine.paced()).isTrue();
    }

    @Test
    public void refusesAWrongSpecificationWhole() {
        assertThatThrownBy(() -> create(EngineSpec.of(Engines.JAVA, "transformer")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transformer");
    }

    @Test
    public void acceptsEveryModelOnItsEngines() {
        for (String engine : List.of(Engines.JAVA, Engines.DJL)) {
            for (String model : Engines.models(engine)) {
                assertThat(keys(EngineSpec.of(engine, model))).isEmpty();
                assertThat(keys(EngineSpec.of(engine, model).paced(PACE))).isEmpty();
            }
        }
    }

    @Test
    public void reportsAllProblemsAtOnce() {
        EmulatedSpec wrong = new EmulatedSpec("emulated", Double.NaN, -1, 0, 0, 0);
        assertThat(keys(new EngineSpec("emulated", "lenet", List.of(3), wrong)))
                .containsExactly("emulated.engine", "emulated.secondsPerSample", "emulated.secondsFixed", "hidden");
        assertThat(keys(new EngineSpec("torch", "vgg", List.of(), null))).containsExactly("engine", "model");
        assertThat(keys(EngineSpec.mlp("java", 64, 0, 1_000_000))).containsExactly("hidden[1]", "hidden[2]");
    }

    @Test
    public void refusesModelsThatTheEngineLacks() {
        assertThat(Engines.problems(EngineSpec.of(Engines.JAVA, Engines.LENET), TrainingMode.SYNCHRONOUS))
                .extracting(SpecProblem::sentence)
                .containsExactly("Engine java cannot train lenet: use the engine djl, or one of [mlp]");
    }

    @Test
    public void paceBelongsToTheEmulatedEngineOnly() {
        assertThat(keys(new EngineSpec(Engines.EMULATED, Engines.MLP, List.of(8), null)))
                .containsExactly("emulated");
        assertThat(keys(new EngineSpec(Engines.JAVA, Engines.MLP, List.of(8), PACE)))
                .containsExactly("emulated");
    }

    @Test
    public void paceNeedsATerm() {
        EmulatedSpec still = new EmulatedSpec("java", 0, 0, 0, 0, 0);
        assertThat(keys(EngineSpec.mlp("java", 8).paced(still))).containsExactly("emulated");
    }

    @Test
    public void asynchronousSpeedHasNoTermPerSample() {
        assertThat(Engines.problems(EngineSpec.mlp("java", 8).paced(PACE), TrainingMode.ASYNCHRONOUS))
                .extracting(SpecProblem::key)
                .containsExactly("emulated.secondsPerSample");
    }

    @Test
    public void knowsWhetherNativeLibrariesAreNeeded() {
        assertThat(EngineSpec.mlp(Engines.JAVA, 8).paced(PACE).needsNativeLibraries())
                .isFalse();
        assertThat(EngineSpec.mlp(Engines.DJL, 8).paced(PACE).needsNativeLibraries())
                .isTrue();
        assertThat(EngineSpec.of(Engines.DJL, Engines.LENET).needsNativeLibraries())
                .isTrue();
    }

    @Test
    public void survivesJson() throws JsonProcessingException {
        ObjectMapper json = new ObjectMapper();
        EngineSpec spec = EngineSpec.mlp(Engines.JAVA, 64, 32).paced(PACE);
        assertThat(json.readValue(json.writeValueAsString(spec), EngineSpec.class))
                .isEqualTo(spec);
        assertThat(json.readValue("{\"engine\":\"java\",\"model\":\"mlp\"}", EngineSpec.class))
                .isEqualTo(EngineSpec.mlp(Engines.JAVA, 64));
    }

    private static List<String> keys(EngineSpec spec) {
        return Engines.problems(spec, TrainingMode.SYNCHRONOUS).stream()
                .map(SpecProblem::key)
                .toList();
    }

    private static TrainingEngine create(EngineSpec spec) {
        return Engines.create(spec, SampleSets.digits(), TrainingMode.SYNCHRONOUS, 64);
    }
}
