/**
 * What an administrator may set, read once and checked whole. Open {@link
 * io.optimus.yarn.configuration.OptimusConfiguration} first.
 */
@NullMarked
package io.optimus.yarn.configuration;

import org.jspecify.annotations.NullMarked;
