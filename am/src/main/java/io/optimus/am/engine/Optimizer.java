package io.optimus.am.engine;

import java.util.function.Function;

/** How parameter servers apply gradients. */
public sealed interface Optimizer {
    /** Step size, above 0. */
    double learningRate();

    /** L2 penalty, or decay of the parameters, 0 or more. */
    double weightDecay();

    /** Calls one of the functions, by the kind of this optimizer. */
    <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam);

    /**
     * Stochastic gradient descent.
     *
     * @param learningRate step size, above 0
     * @param momentum in [0, 1); 0 for none
     * @param weightDecay L2 penalty, which is added to the gradient, 0 or more
     */
    record Sgd(double learningRate, double momentum, double weightDecay) implements Optimizer {
        @Override
        public <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam) {
            return ifSgd.apply(this);
        }
    }

    /**
     * Adam (Kingma and Ba, 2015) and AdamW (Loshchilov and Hutter, 2019).
     *
     * @param learningRate step size, above 0
     * @param beta1 decay of the gradient's mean, in [0, 1)
     * @param beta2 decay of its square's mean, in [0, 1)
     * @param epsilon added to the root, above 0
     * @param weightDecay L2 penalty, or decay of the parameters, 0 or more
     * @param decoupled false for Adam: the weight decay is an L2 penalty, which is added to the gradient; true for AdamW:
     *     it takes learningRate · weightDecay of each parameter instead
     */
    record Adam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay, boolean decoupled)
            implements Optimizer {
        @Override
        public <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam) {
            return ifAdam.apply(this);
        }
    }
}
