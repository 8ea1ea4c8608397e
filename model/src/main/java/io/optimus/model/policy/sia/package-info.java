/** Sia: one configuration a job, chosen by an integer program. Open {@link io.optimus.model.policy.sia.SiaPolicy} first. */
@NullMarked
package io.optimus.model.policy.sia;

import org.jspecify.annotations.NullMarked;
