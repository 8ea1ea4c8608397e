package io.optimus.model.numerics;

/** A function of several variables with its gradient. */
@FunctionalInterface
public interface DifferentiableFunction {
    /**
     * The value at {@code point}; infinite or NaN where the function has no value: a minimiser then takes a shorter step.
     *
     * @param point n finite numbers, which must not be changed
     * @param gradient n places that the function fills with the partial derivatives at {@code point}
     */
    double valueAndGradient(double[] point, double[] gradient);
}
