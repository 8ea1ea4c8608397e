package io.optimus.model.convergence;

/**
 * Why training ends now.
 *
 * @param converged false where only the maximum of epochs was reached
 * @param sentence the rule and the figures in words, for diagnostics and the log
 */
public record StopReason(boolean converged, String sentence) {}
