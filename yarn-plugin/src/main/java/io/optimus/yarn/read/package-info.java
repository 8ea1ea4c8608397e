/**
 * Everything that reads or bends Hadoop's CapacityScheduler: what the round sees of it, how far a training application
 * may grow, and how capacity is taken back from one that does not shrink. Open {@link
 * io.optimus.yarn.read.ClusterReader} for reading and {@link io.optimus.yarn.enforce.GrantCeilings} for bending
 * first; Hadoop's types stop in this package's outer classes, what they decide with is pure.
 */
@NullMarked
package io.optimus.yarn.read;

import org.jspecify.annotations.NullMarked;
