/**
 * What the commands ask of a cluster: YARN about applications and queues, the scheduler about training jobs. Open {@link
 * io.optimus.am.client.cluster.ClusterClient} first; {@link io.optimus.am.client.cluster.ClusterCheck} compares a job with
 * a cluster before it is submitted.
 */
@NullMarked
package io.optimus.am.client.cluster;

import org.jspecify.annotations.NullMarked;
