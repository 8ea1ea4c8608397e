package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import io.optimus.am.dataset.Dataset;
import io.optimus.am.engine.Engines;
import java.util.List;

/** A model: its layers, and the order in which they are applied. */
sealed interface Network permits Perceptron, LeNet, ResidualNetwork {
    /** The layers in the order of the flat vector. */
    List<Layer> layers();

    /**
     * Computes the scores of a batch.
     *
     * @param images batch × 1 × height × width
     * @return batch × classes
     */
    NDArray scores(NDArray images, Pass pass);

    /** The network called {@code model}, for the images of {@code dataset}. */
    static Network of(String model, List<Integer> hidden, Dataset dataset) {
        return switch (model) {
            case Engines.MLP -> Perceptron.of(dataset.features(), hidden, dataset.classes());
            case Engines.LENET -> LeNet.of(dataset.height(), dataset.width(), dataset.classes());
            case Engines.RESNET_20 -> ResidualNetwork.of(dataset.classes());
            default -> throw new IllegalArgumentException(
                    "There is no model '" + model + "': use one of " + Engines.MODELS);
        };
    }
}
