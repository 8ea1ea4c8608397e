package io.optimus.am.engine;

import java.util.function.Function;

/** How gradients are applied: by parameter servers, or by the owner's program itself. */
public sealed interface Optimizer {
    /** Step size, above 0; 0 if only the program knows it. */
    double learningRate();

    /** L2 penalty, or decay of the parameters, 0 or more. */
    double weightDecay();

    /** Calls one of the functions, by the kind of this optimizer. */
    <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam, Function<Own, T> ifOwn);

    /**
     * Stochastic gradient descent.
     *
     * @param learningRate step size, above 0
     * @param momentum in [0, 1); 0 for none
     * @param weightDecay L2 penalty, which is added to the gradient, 0 or more
     */
    record Sgd(double learningRate, double momentum, double weightDecay) implements Optimizer {
        @Override
        public <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam, Function<Own, T> ifOwn) {
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
        public <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam, Function<Own, T> ifOwn) {
            return ifAdam.apply(this);
        }
    }

    /**
     * An optimizer of the owner's program, which applies gradients itself.
     *
     * @param name its name, for people
     */
    record Own(String name) implements Optimizer {
        @Override
        public double learningRate() {
            return 0;
        }

        @Override
        public double weightDecay() {
            return 0;
        }

        @Override
        public <T> T match(Function<Sgd, T> ifSgd, Function<Adam, T> ifAdam, Function<Own, T> ifOwn) {
            return ifOwn.apply(this);
        }
    }
}
