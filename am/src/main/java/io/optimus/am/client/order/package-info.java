/**
 * The commands that change something of what runs: {@code kill} and {@code priority} for owners, the others for
 * administrators. Open {@link io.optimus.am.client.order.OrderCommand} first.
 */
@NullMarked
package io.optimus.am.client.order;

import org.jspecify.annotations.NullMarked;
