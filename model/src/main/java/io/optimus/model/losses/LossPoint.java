package io.optimus.model.losses;

/**
 * Mean training loss of a stretch of steps.
 *
 * @param step last step of the stretch, from 0
 * @param loss finite
 */
public record LossPoint(long step, double loss) {}
