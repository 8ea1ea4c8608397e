package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.convolutional.Conv2d;
import java.util.List;

/** A part of a network with its own tensors. */
sealed interface Layer {
    /** The tensors of the layer, in the order of the flat vector. */
    List<Tensor> tensors();

    /** Applies the layer to a batch; the result belongs to the manager of {@code x}. */
    NDArray apply(NDArray x, Pass pass);

    /** A fully connected layer: y = x·W + b, with W of inputs × outputs, as in the plain Java perceptron. */
    record Dense(String name, int inputs, int outputs) implements Layer {
        @Override
        public List<Tensor> tensors() {
            return List.of(
                    Tensor.weights(name + ".weight", new Shape(inputs, outputs), inputs),
                    Tensor.filled(name + ".bias", outputs, Tensor.Initial.ZERO));
        }

        @Override
        public NDArray apply(NDArray x, Pass pass) {
            return x.matMul(pass.tensor(name + ".weight")).add(pass.tensor(name + ".bias"));
        }
    }

    /** A two-dimensional convolution with a square kernel and a bias. */
    record Convolution(String name, int inputs, int outputs, int kernel, int padding) implements Layer {
        @Override
        public List<Tensor> tensors() {
            return List.of(
                    Tensor.weights(
                            name + ".weight", new Shape(outputs, inputs, kernel, kernel), inputs * kernel * kernel),
                    Tensor.filled(name + ".bias", outputs, Tensor.Initial.ZERO));
        }

        @Override
        public NDArray apply(NDArray x, Pass pass) {
            return Conv2d.conv2d(
                            x,
                            pass.tensor(name + ".weight"),
                            pass.tensor(name + ".bias"),
                            new Shape(1, 1),
                            new Shape(padding, padding))
                    .singletonOrThrow();
        }
    }

    /**
     * A convolution of 3 × 3 without a bias, followed by batch normalisation (Ioffe and Szegedy, 2015), as in residual
     * networks.
     *
     * <p>The running statistics move by a tenth at every training step, and evaluation uses them.
     */
    record NormalisedConvolution(String name, int inputs, int outputs, int stride) implements Layer {
        private static final int KERNEL = 3;
        private static final float MOMENTUM = 0.9f;
        private static final float EPSILON = 1e-5f;
        /** PyTorch's default axis, the second. If it were named, DJL would swap axes around every call. */
        private static final int CHANNELS = -1;

        @Override
        public List<Tensor> tensors() {
            return List.of(
                    Tensor.weights(
                            name + ".weight", new Shape(outputs, inputs, KERNEL, KERNEL), inputs * KERNEL * KERNEL),
                    Tensor.filled(name + ".scale", outputs, Tensor.Initial.ONE),
                    Tensor.filled(name + ".shift", outputs, Tensor.Initial.ZERO),
                    Tensor.filled(name + ".mean", outputs, Tensor.Initial.MEAN),
                    Tensor.filled(name + ".variance", outputs, Tensor.Initial.VARIANCE));
        }

        @Override
        public NDArray apply(NDArray x, Pass pass) {
            // PyTorch and DJL accept a missing bias; only DJL's signature asks for an array.
            NDArray convolved = x.getNDArrayInternal()
                    .convolution(
                            x,
                            pass.tensor(name + ".weight"),
                            null,
                            new Shape(stride, stride),
                            new Shape(1, 1),
                            new Shape(1, 1),
                            1)
                    .singletonOrThrow();
            return convolved
                    .getNDArrayInternal()
                    .batchNorm(
                            convolved,
                            pass.tensor(name + ".mean"),
                            pass.tensor(name + ".variance"),
                            pass.tensor(name + ".scale"),
                            pass.tensor(name + ".shift"),
                            CHANNELS,
                            MOMENTUM,
                            EPSILON,
                            pass.training())
                    .singletonOrThrow();
        }
    }
}
