/** When training ends, decided from observed epochs and predicted from the loss curve. */
@NullMarked
package io.optimus.model.convergence;

import org.jspecify.annotations.NullMarked;
