/**
 * When training ends: {@link io.optimus.model.convergence.StopDecision} decides it from the epochs that were seen, {@link
 * io.optimus.model.convergence.ConvergencePrediction} predicts it from the loss curve. Open {@link
 * io.optimus.model.convergence.StopRule} first.
 */
@NullMarked
package io.optimus.model.convergence;

import org.jspecify.annotations.NullMarked;
