/**
 * Which parameter server holds which parameters. Open {@link io.optimus.model.assignment.ParameterAssigner} first; {@link
 * io.optimus.model.assignment.Reassignment} is what a live resize does to an assignment.
 */
@NullMarked
package io.optimus.model.assignment;

import org.jspecify.annotations.NullMarked;
