package io.optimus.am.job;

import java.util.List;

/** What is trained. */
public sealed interface ModelChoice {
    /**
     * A multilayer perceptron.
     *
     * @param hidden width of each hidden layer from the input on; none makes it a linear classifier
     */
    record Mlp(List<Integer> hidden) implements ModelChoice {
        /** Copies. */
        public Mlp {
            hidden = List.copyOf(hidden);
        }
    }

    /** LeNet-5: two convolutions, three dense layers. */
    record LeNet() implements ModelChoice {}

    /** ResNet-20 as for CIFAR-10: three stages of three blocks. */
    record ResNet20() implements ModelChoice {}
}
