package io.optimus.am.engine;

import java.util.List;

/** The names of the training engines and of the models that they train. */
public final class Engines {
    /** The engine in plain Java, for the model {@code mlp} only. */
    public static final String JAVA = "java";
    /** The engine on DJL with PyTorch's native libraries, for every model. */
    public static final String DJL = "djl";
    /** The engine that wraps another one and paces it to a given speed function. */
    public static final String EMULATED = "emulated";
    /** The engine that runs a program of the job's owner. */
    public static final String PYTHON = "python";
    /** The names of the engines that come with Optimus. */
    public static final List<String> NAMES = List.of(JAVA, DJL, EMULATED);

    /** The multilayer perceptron. */
    public static final String MLP = "mlp";
    /** The convolutional network of LeCun et al., 1998. */
    public static final String LENET = "lenet";
    /** The 20-layer residual network of He et al., 2016, section 4.2. */
    public static final String RESNET_20 = "resnet20";
    /** The names of all models. */
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
}
