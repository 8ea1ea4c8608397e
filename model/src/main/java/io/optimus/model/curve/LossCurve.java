package io.optimus.model.curve;

import java.util.OptionalDouble;

/**
 * The training loss by step, in the job's own loss units: it falls ever more slowly towards a limit, or stays where it is.
 *
 * <p>{@link InverseDecay} is Optimus's form (section 3.1, eq. 1); {@link PowerLaw} has a heavier or lighter tail, {@link
 * ExponentialDecay} none. Which one holds, the losses decide: see {@link LossCurveFitter}.
 */
public sealed interface LossCurve permits InverseDecay, PowerLaw, ExponentialDecay {
    /** Of its kind, in words: for the page. */
    String family();

    /** The step from which this curve holds: the first that was fitted, or the last bend. */
    double firstStep();

    /** Loss at {@code step}; before {@code firstStep} that of {@code firstStep}. */
    double lossAt(double step);

    /** What the loss falls to in the end. */
    double limit();

    /** Whether the loss stays where it is. */
    boolean isFlat();

    /** The first step at which the loss is at or below {@code loss}; empty where it never gets there. */
    OptionalDouble stepAt(double loss);

    /**
     * The first step from which on the loss falls by less than {@code decrease} in {@code steps} steps: {@code firstStep}
     * or later; infinite where there is none.
     *
     * @param steps above 0 and finite
     * @param decrease 0 or more, in the units of the loss
     */
    double slowFrom(double steps, double decrease);

    /** The same curve with all losses times {@code factor}, which is above 0 and finite. */
    LossCurve times(double factor);
}
