package io.optimus.am.progress;

import io.optimus.model.convergence.StopRule;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The accuracy whose report ends training.
 *
 * @param target the least accuracy; empty: none ends training
 */
public record AccuracyTarget(OptionalDouble target) {
    /** The name of the reported figure. */
    private static final String NAME = "accuracy";

    /**
     * Why training should end; empty if it should go on.
     *
     * @param values reported figures by name
     * @param reporter what reported them, as in {@code the program}
     * @param when the time that they are of, as in {@code epoch 3}
     */
    public Optional<StopRule.Stop> stop(Map<String, Double> values, String reporter, String when) {
        Double accuracy = values.get(NAME);
        if (accuracy == null || target.isEmpty() || accuracy < target.getAsDouble()) {
            return Optional.empty();
        }
        String sentence = String.format(
                Locale.ROOT,
                "converged: %s reported an accuracy of %.4g in %s, the target is %.4g",
                reporter,
                accuracy,
                when,
                target.getAsDouble());
        return Optional.of(new StopRule.Stop(true, sentence));
    }
}
