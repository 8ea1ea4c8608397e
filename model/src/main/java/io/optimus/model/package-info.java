/** The vocabulary of the science: roles, resources, allocations. Open {@link io.optimus.model.Allocation} first. */
@NullMarked
package io.optimus.model;

import org.jspecify.annotations.NullMarked;
