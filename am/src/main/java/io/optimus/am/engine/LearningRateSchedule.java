package io.optimus.am.engine;

import java.util.List;

/**
 * The learning rate of each update as a function of the passes over the training samples before it, so that it does not depend
 * on the number of workers, on resizes or on restarts.
 *
 * <p>During the warm-up of w epochs, the rate rises linearly from 0 to {@code learningRate}: at epoch e &lt; w it is
 * learningRate · e / w. Then the {@link Shape} decides. Example: learning rate 0.1, warm-up 5 epochs, ten times less from epochs
 * 30 and 60 on: 0.04 at epoch 2, 0.1 at epoch 29.9, 0.01 at epoch 30, 0.001 at epoch 60.
 *
 * @param learningRate the learning rate after the warm-up, above 0
 * @param weightDecay the optimizer's, which travels with the rate, 0 or more
 * @param warmupEpochs length of the warm-up, 0 or more; fractions are allowed
 * @param shape how the rate goes on after the warm-up
 */
public record LearningRateSchedule(double learningRate, double weightDecay, double warmupEpochs, Shape shape) {
    /** The learning rate at {@code epoch}, in passes over the training samples, 0 or more. */
    public double rateAt(double epoch) {
        return epoch < warmupEpochs
                ? learningRate * epoch / warmupEpochs
                : shape.rateAt(epoch, warmupEpochs, learningRate);
    }

    /** Whether the rate never changes. */
    public boolean isConstant() {
        return warmupEpochs == 0 && shape instanceof Constant;
    }

    /** The epochs at which the rate falls at once, so that the loss curve bends; rising. */
    public List<Double> bends() {
        return shape.bends();
    }

    /** How the rate goes on after the warm-up. */
    public sealed interface Shape {
        /**
         * The learning rate at {@code epoch}, which is {@code start} or later.
         *
         * @param start the epoch at which the warm-up ended
         * @param learningRate the rate at that epoch
         */
        double rateAt(double epoch, double start, double learningRate);

        /** The epochs at which the rate falls at once; rising. */
        default List<Double> bends() {
            return List.of();
        }
    }

    /** The rate stays where it is. */
    public record Constant() implements Shape {
        @Override
        public double rateAt(double epoch, double start, double learningRate) {
            return learningRate;
        }
    }

    /**
     * The rate is multiplied by {@code factor} at each of some epochs, counted from the beginning of training (PyTorch's
     * MultiStepLR).
     *
     * @param epochs above 0, rising
     * @param factor above 0, below 1
     */
    public record Step(List<Double> epochs, double factor) implements Shape {
        public Step {
            epochs = List.copyOf(epochs);
        }

        @Override
        public double rateAt(double epoch, double start, double learningRate) {
            long passed = epochs.stream().filter(at -> at <= epoch).count();
            return learningRate * Math.pow(factor, (double) passed);
        }

        @Override
        public List<Double> bends() {
            return epochs;
        }
    }

    /**
     * The rate falls along half a cosine wave from the end of the warm-up to {@code end}, and stays there (Loshchilov and
     * Hutter, ICLR 2017, eq. 5, without restarts; PyTorch's CosineAnnealingLR):
     *
     * <pre>rate = finalRate + (learningRate − finalRate) · (1 + cos(π · (epoch − start) / (end − start))) / 2</pre>
     *
     * @param end the epoch at which the rate is {@code finalRate}
     * @param finalRate 0 or more
     */
    public record Cosine(double end, double finalRate) implements Shape {
        @Override
        public double rateAt(double epoch, double start, double learningRate) {
            double part = epoch < end ? (epoch - start) / (end - start) : 1;
            return finalRate + (learningRate - finalRate) * (1 + Math.cos(Math.PI * part)) / 2;
        }
    }

    /**
     * The same wave again and again, each time from {@code learningRate} (Loshchilov and Hutter, ICLR 2017, eq. 5; PyTorch's
     * CosineAnnealingWarmRestarts with T_0 = first and T_mult = factor).
     *
     * @param first length of the first period in epochs, above 0
     * @param factor how many times longer each period is than the one before, 1 or more
     * @param finalRate what the rate falls to in each period, 0 or more
     */
    public record WarmRestarts(double first, int factor, double finalRate) implements Shape {
        @Override
        public double rateAt(double epoch, double start, double learningRate) {
            double length = first;
            double since = epoch - start;
            while (factor > 1 && since >= length) {
                since -= length;
                length *= factor;
            }
            return new Cosine(length, finalRate).rateAt(since % length, 0, learningRate);
        }
    }
}
