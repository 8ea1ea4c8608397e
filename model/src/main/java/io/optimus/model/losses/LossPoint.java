package io.optimus.model.losses;

/**
 * The mean training loss of some consecutive steps.
 *
 * @param step the last of these steps, from 0
 * @param loss their mean; {@link LossHistory} ignores one that is not finite
 */
public record LossPoint(long step, double loss) {}
