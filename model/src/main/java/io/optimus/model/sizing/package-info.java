/**
 * Which size makes one job fastest, within limits. Open {@link io.optimus.model.sizing.FastestSize} first.
 */
@NullMarked
package io.optimus.model.sizing;

import org.jspecify.annotations.NullMarked;
