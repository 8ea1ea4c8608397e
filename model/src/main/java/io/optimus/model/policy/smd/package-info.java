/**
 * Which size makes one job fastest, within limits. Open {@link io.optimus.model.policy.smd.FastestSize} first.
 */
@NullMarked
package io.optimus.model.policy.smd;

import org.jspecify.annotations.NullMarked;
