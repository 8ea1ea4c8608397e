package io.optimus.am.engine;

import io.optimus.am.dataset.Dataset;
import io.optimus.am.engine.djl.DjlEngine;
import io.optimus.am.engine.emulated.PacedEngine;
import io.optimus.am.engine.plain.PlainPerceptron;
import io.optimus.model.TrainingMode;
import java.util.List;

/** The training engines by name. */
public final class Engines {
    /** Plain Java; the model {@code mlp} only. */
    public static final String JAVA = "java";
    /** DJL with PyTorch's native libraries; every model. */
    public static final String DJL = "djl";
    /** Another engine, paced to a given speed function. */
    public static final String EMULATED = "emulated";
    /** Every engine's name. */
    public static final List<String> NAMES = List.of(JAVA, DJL, EMULATED);

    /** Multilayer perceptron. */
    public static final String MLP = "mlp";
    /** The convolutional network of LeCun et al., 1998. */
    public static final String LENET = "lenet";
    /** The 20-layer residual network of He et al., 2016, section 4.2. */
    public static final String RESNET_20 = "resnet20";
    /** Every model's name. */
    public static final List<String> MODELS = List.of(MLP, LENET, RESNET_20);

    private Engines() {}

    /** Names of the models that {@code engine}, {@code java} or {@code djl}, can train. */
    public static List<String> models(String engine) {
        return switch (engine) {
            case JAVA -> List.of(MLP);
            case DJL -> MODELS;
            default -> List.of();
        };
    }

    /** Everything that is wrong in {@code spec} for a job of {@code mode}; empty when nothing is. */
    public static List<SpecProblem> problems(EngineSpec spec, TrainingMode mode) {
        return new SpecCheck(spec, mode).problems();
    }

    /**
     * Makes the engine of one worker.
     *
     * @param globalBatch samples of a synchronous step of all workers together, which its emulated speed depends on
     * @throws IllegalArgumentException where {@code spec} has problems: all of them
     */
    public static TrainingEngine create(EngineSpec spec, Dataset dataset, TrainingMode mode, int globalBatch) {
        List<SpecProblem> problems = problems(spec, mode);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.toString());
        }
        TrainingEngine computing = computing(spec, dataset);
        EmulatedSpec emulated = spec.emulated();
        return emulated == null ? computing : new PacedEngine(computing, emulated.speed(mode, globalBatch), mode);
    }

    private static TrainingEngine computing(EngineSpec spec, Dataset dataset) {
        return spec.needsNativeLibraries()
                ? new DjlEngine(spec.model(), spec.hidden(), dataset)
                : new PlainPerceptron(dataset, spec.hidden());
    }
}
