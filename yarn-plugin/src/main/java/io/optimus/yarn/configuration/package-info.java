/**
 * The settings of the scheduler, read once and checked together. Open {@link
 * io.optimus.yarn.configuration.OptimusConfiguration} first.
 */
@NullMarked
package io.optimus.yarn.configuration;

import org.jspecify.annotations.NullMarked;
