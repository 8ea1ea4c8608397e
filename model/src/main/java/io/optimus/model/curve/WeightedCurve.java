package io.optimus.model.curve;

/**
 * A curve with its likelihood.
 *
 * @param curve falls or is flat
 * @param likelihood relative to the likeliest of several curves through the same losses, from 0 to 1; less for a kind of curve
 *     that is rare
 */
public record WeightedCurve(LossCurve curve, double likelihood) {}
