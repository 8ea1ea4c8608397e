/**
 * The values that all packages of the model use: roles, training modes and allocations. Open {@link
 * io.optimus.model.Allocation} first.
 */
@NullMarked
package io.optimus.model;

import org.jspecify.annotations.NullMarked;
