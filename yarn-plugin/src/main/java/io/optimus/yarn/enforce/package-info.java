/**
 * Enforces plans on CapacityScheduler: ceilings limit what training applications are granted, and YARN's preemption takes
 * containers from jobs that ignore a shrink. Open {@link io.optimus.yarn.enforce.GrantCeilings} first.
 */
@NullMarked
package io.optimus.yarn.enforce;

import org.jspecify.annotations.NullMarked;
