/** Follows a training: the losses of its steps, each counted once, and its speed. */
@NullMarked
package io.optimus.am.progress;

import org.jspecify.annotations.NullMarked;
