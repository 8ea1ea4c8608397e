/**
 * Finds the GPUs of a worker's container, so that an owner's program sees no others. Open {@link
 * io.optimus.am.engine.gpu.VisibleGpus} first.
 */
@NullMarked
package io.optimus.am.engine.gpu;

import org.jspecify.annotations.NullMarked;
