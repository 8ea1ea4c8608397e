/**
 * What administrators order by hand, such as a pause of all rounds. Open {@link io.optimus.yarn.operator.OperatorOrders}
 * first.
 */
@NullMarked
package io.optimus.yarn.operator;

import org.jspecify.annotations.NullMarked;
