package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import java.util.ArrayList;
import java.util.List;

/** Fully connected layers with rectified linear units between them; its flat vector is that of the plain Java engine. */
record Perceptron(List<Layer> layers) implements Network {
    static Perceptron of(int features, List<Integer> hidden, int classes) {
        List<Layer> layers = new ArrayList<>();
        int inputs = features;
        List<Integer> sizes = new ArrayList<>(hidden);
        sizes.add(classes);
        for (int outputs : sizes) {
            layers.add(new Layer.Dense("dense" + (layers.size() + 1), inputs, outputs));
            inputs = outputs;
        }
        return new Perceptron(List.copyOf(layers));
    }

    @Override
    public NDArray scores(NDArray images, Pass pass) {
        NDArray x = images.reshape(new Shape(images.getShape().get(0), -1));
        for (int i = 0; i < layers.size(); i++) {
            NDArray y = layers.get(i).apply(x, pass);
            x = i < layers.size() - 1 ? Activation.relu(y) : y;
        }
        return x;
    }
}
