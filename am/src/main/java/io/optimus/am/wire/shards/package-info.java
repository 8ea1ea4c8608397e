/**
 * Connections for gradients, parameters and shards, between workers and parameter servers and between parameter servers. Open
 * {@link io.optimus.am.wire.shards.ShardChannel} first.
 */
@NullMarked
package io.optimus.am.wire.shards;

import org.jspecify.annotations.NullMarked;
