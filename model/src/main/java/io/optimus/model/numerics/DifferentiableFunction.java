package io.optimus.model.numerics;

/** A function of several variables that knows its slope. */
@FunctionalInterface
public interface DifferentiableFunction {
    /**
     * The value at {@code point}; infinite or no number where the function has none, which a minimiser steps back from.
     *
     * @param point n finite numbers; not to be changed
     * @param gradient n places, to be filled with the partial derivatives at {@code point}
     */
    double valueAndGradient(double[] point, double[] gradient);
}
