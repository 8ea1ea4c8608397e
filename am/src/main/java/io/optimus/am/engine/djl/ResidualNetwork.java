package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.pooling.Pool;
import java.util.ArrayList;
import java.util.List;

/**
 * ResNet-20 (He, Zhang, Ren, Sun, CVPR 2016, section 4.2): a convolution to 16 channels, three stages of three residual
 * blocks with 16, 32 and 64 channels, the mean over the remaining pixels, and one dense layer. Every stage but the first
 * halves the image.
 *
 * <p>Where a block halves, its shortcut takes every second pixel and fills the new channels with zeros (option A of
 * the paper, without parameters). The network takes images of any size; images of 8 × 8 reach the last stage as 2 × 2.
 */
record ResidualNetwork(Layer first, List<Block> blocks, Layer last) implements Network {
    private static final int[] CHANNELS = {16, 32, 64};
    private static final int BLOCKS_PER_STAGE = 3;
    private static final Shape ONE_PIXEL = new Shape(1, 1);
    private static final Shape UNPADDED = new Shape(0, 0);

    /** Two convolutions and the shortcut around them. */
    record Block(Layer.NormalisedConvolution first, Layer.NormalisedConvolution second) {
        NDArray apply(NDArray x, Pass pass) {
            NDArray inner = Activation.relu(first.apply(x, pass));
            return Activation.relu(second.apply(inner, pass).add(shortcut(x)));
        }

        private NDArray shortcut(NDArray x) {
            int added = first.outputs() - first.inputs();
            if (added == 0) {
                return x;
            }
            Shape stride = new Shape(first.stride(), first.stride());
            NDArray picked = Pool.avgPool2d(x, ONE_PIXEL, stride, UNPADDED, true, false);
            Shape shape = picked.getShape();
            NDArray zeros = x.getManager().zeros(new Shape(shape.get(0), added, shape.get(2), shape.get(3)));
            return picked.concat(zeros, 1);
        }
    }

    static ResidualNetwork of(int classes) {
        List<Block> blocks = new ArrayList<>();
        int inputs = CHANNELS[0];
        for (int channels : CHANNELS) {
            for (int i = 0; i < BLOCKS_PER_STAGE; i++) {
                String name = "block" + (blocks.size() + 1);
                int stride = channels == inputs ? 1 : 2;
                blocks.add(new Block(
                        new Layer.NormalisedConvolution(name + ".first", inputs, channels, stride),
                        new Layer.NormalisedConvolution(name + ".second", channels, channels, 1)));
                inputs = channels;
            }
        }
        return new ResidualNetwork(
                new Layer.NormalisedConvolution("first", 1, CHANNELS[0], 1),
                List.copyOf(blocks),
                new Layer.Dense("dense", inputs, classes));
    }

    @Override
    public List<Layer> layers() {
        List<Layer> layers = new ArrayList<>();
        layers.add(first);
        for (Block block : blocks) {
            layers.add(block.first());
            layers.add(block.second());
        }
        layers.add(last);
        return List.copyOf(layers);
    }

    @Override
    public NDArray scores(NDArray images, Pass pass) {
        NDArray x = Activation.relu(first.apply(images, pass));
        for (Block block : blocks) {
            x = block.apply(x, pass);
        }
        return last.apply(Pool.globalAvgPool2d(x), pass);
    }
}
