/**
 * Reads CapacityScheduler: copies queues, nodes and applications into immutable views for a round. Hadoop's types end in
 * this package and in {@code enforce}. Open {@link io.optimus.yarn.read.ClusterReader} first.
 */
@NullMarked
package io.optimus.yarn.read;

import org.jspecify.annotations.NullMarked;
