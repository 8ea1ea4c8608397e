package io.optimus.model.losses;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The epochs at which a job said that its loss curve will bend, since its learning rate falls there. A curve holds up to
 * the next of them; what follows is unknown before the losses have passed it.
 *
 * <p>Example: bends at epochs 30 and 60, 100 steps an epoch. A curve that was fitted from step 0 on holds until epoch 30. One
 * that begins at step 3000 holds until epoch 60, and one that begins at step 6000 holds for good.
 *
 * @param epochs passes over the training samples, above 0 and finite, rising; fractions are allowed
 */
public record AnnouncedBends(List<Double> epochs) {
    /** More bends than any schedule has; each costs a little time with every loss. */
    public static final int MOST = 100;

    /** A job that announces none. */
    public static final AnnouncedBends NONE = new AnnouncedBends(List.of());

    /** Throws if there are too many epochs, or they are not positive, finite and rising. */
    public AnnouncedBends {
        epochs = List.copyOf(epochs);
        double before = 0;
        for (double epoch : epochs) {
            if (!(epoch > before && epoch < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("Announced bends must be above 0, finite and rising, got " + epochs);
            }
            before = epoch;
        }
        if (epochs.size() > MOST) {
            throw new IllegalArgumentException(
                    epochs.size() + " announced bends are too many: announce at most " + MOST);
        }
    }

    /** The epoch until which a curve holds that begins at {@code firstStep}; empty where it holds for good. */
    public OptionalDouble next(double firstStep, double stepsPerEpoch) {
        return epochs.stream()
                .mapToDouble(epoch -> epoch)
                .filter(epoch -> Math.ceil(epoch * stepsPerEpoch) > firstStep)
                .findFirst();
    }

    /** Whether a curve that begins at {@code firstStep} has ended at {@code step} or before. */
    boolean ended(double firstStep, double step, double stepsPerEpoch) {
        OptionalDouble next = next(firstStep, stepsPerEpoch);
        return next.isPresent() && step >= Math.ceil(next.getAsDouble() * stepsPerEpoch);
    }
}
