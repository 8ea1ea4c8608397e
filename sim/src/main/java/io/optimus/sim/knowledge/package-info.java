/** What a scheduler believes of jobs: learnt from what they report, or told. Open {@link io.optimus.sim.knowledge.Knowledge} first. */
@NullMarked
package io.optimus.sim.knowledge;

import org.jspecify.annotations.NullMarked;
