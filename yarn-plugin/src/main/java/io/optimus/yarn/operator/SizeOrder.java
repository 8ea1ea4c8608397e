package io.optimus.yarn.operator;

import io.optimus.model.Allocation;

/**
 * An order that gives one job a fixed size.
 *
 * @param size the size
 * @param order who gave it, and when
 */
public record SizeOrder(Allocation size, Order order) {}
