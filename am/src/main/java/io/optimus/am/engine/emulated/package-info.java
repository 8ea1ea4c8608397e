/**
 * The engine {@code emulated}, which computes real gradients at a given speed. Open {@link
 * io.optimus.am.engine.emulated.PacedEngine} first.
 */
@NullMarked
package io.optimus.am.engine.emulated;

import org.jspecify.annotations.NullMarked;
