/**
 * The end of training: {@link io.optimus.model.convergence.StopRule} decides it from the epochs that have ended, {@link
 * io.optimus.model.convergence.ConvergencePrediction} predicts it from the loss curve. Open {@code StopRule} first.
 */
@NullMarked
package io.optimus.model.convergence;

import org.jspecify.annotations.NullMarked;
