/**
 * Assigns parameters to parameter servers. {@link io.optimus.model.assignment.ParameterAssigner} divides them among servers,
 * {@link io.optimus.model.assignment.Reassigner} changes the division when servers join or leave. Open {@code
 * ParameterAssigner} first.
 */
@NullMarked
package io.optimus.model.assignment;

import org.jspecify.annotations.NullMarked;
