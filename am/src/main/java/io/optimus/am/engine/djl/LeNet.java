package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.pooling.Pool;
import java.util.List;

/**
 * LeNet-5 (LeCun, Bottou, Bengio, Haffner, Proceedings of the IEEE 1998, section II.B) with rectified linear units and
 * maximum pooling: convolution of 5 × 5 to 6 maps, pooling, convolution of 5 × 5 to 16 maps, pooling, 120, 84.
 *
 * <p>The first convolution is padded, so that images of 28 × 28 have the effect of the paper's 32 × 32. Images under 16 pixels
 * a side, such as the digits of 8 × 8, would leave no pixels for the second convolution, so it is padded too.
 */
record LeNet(Layer first, Layer second, Layer third, Layer fourth, Layer last) implements Network {
    private static final int KERNEL = 5;
    private static final int KEEPS_SIZE = 2;
    private static final int SMALL = 16;
    private static final Shape HALVING = new Shape(2, 2);
    private static final Shape UNPADDED = new Shape(0, 0);

    static LeNet of(int height, int width, int classes) {
        int padding = Math.min(height, width) < SMALL ? KEEPS_SIZE : 0;
        int shrinks = KERNEL - 1 - 2 * padding;
        int rows = (height / 2 - shrinks) / 2;
        int columns = (width / 2 - shrinks) / 2;
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException("Images of " + height + " by " + width
                    + " are too small for lenet: it takes 4 by 4 and more, mlp takes any");
        }
        return new LeNet(
                new Layer.Convolution("convolution1", 1, 6, KERNEL, KEEPS_SIZE),
                new Layer.Convolution("convolution2", 6, 16, KERNEL, padding),
                new Layer.Dense("dense3", 16 * rows * columns, 120),
                new Layer.Dense("dense4", 120, 84),
                new Layer.Dense("dense5", 84, classes));
    }

    @Override
    public List<Layer> layers() {
        return List.of(first, second, third, fourth, last);
    }

    @Override
    public NDArray scores(NDArray images, Pass pass) {
        NDArray x = halve(Activation.relu(first.apply(images, pass)));
        x = halve(Activation.relu(second.apply(x, pass)));
        x = x.reshape(new Shape(images.getShape().get(0), -1));
        x = Activation.relu(third.apply(x, pass));
        x = Activation.relu(fourth.apply(x, pass));
        return last.apply(x, pass);
    }

    private static NDArray halve(NDArray x) {
        return Pool.maxPool2d(x, HALVING, HALVING, UNPADDED, false);
    }
}
