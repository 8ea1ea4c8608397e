/**
 * GPUs of several types in one cluster: how types become resources, so that every policy and placer respects them. Open {@link
 * io.optimus.model.gpu.GpuTypes} first.
 */
@NullMarked
package io.optimus.model.gpu;

import org.jspecify.annotations.NullMarked;
