package io.optimus.am.engine;

import java.util.List;

/** The names of the training engines and of the models that they train. */
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
}
