/**
 * The losses that a job reports: {@link io.optimus.model.losses.LossHistory} keeps them in bounded memory, {@link
 * io.optimus.model.losses.EpochLosses} are their means by epoch, and {@link io.optimus.model.losses.Preprocessing} prepares
 * them for a fit. Open {@code LossHistory} first.
 */
@NullMarked
package io.optimus.model.losses;

import org.jspecify.annotations.NullMarked;
