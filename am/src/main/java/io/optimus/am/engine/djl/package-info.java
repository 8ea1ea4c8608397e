/**
 * The engine {@code djl}, which computes networks with PyTorch's native libraries through DJL. Open {@link
 * io.optimus.am.engine.djl.DjlEngine} first, then {@link io.optimus.am.engine.djl.NativeLibraries}.
 */
@NullMarked
package io.optimus.am.engine.djl;

import org.jspecify.annotations.NullMarked;
