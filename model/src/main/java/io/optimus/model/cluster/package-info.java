/** The cluster as a round sees it: nodes and their resources. Open {@link io.optimus.model.cluster.ClusterSnapshot} first. */
@NullMarked
package io.optimus.model.cluster;

import org.jspecify.annotations.NullMarked;
