/** What a round sees of the cluster: resources, nodes. Open {@link io.optimus.model.cluster.ClusterSnapshot} first. */
@NullMarked
package io.optimus.model.cluster;

import org.jspecify.annotations.NullMarked;
