/** Labelled samples to train on and to hold out. Open {@link io.optimus.am.dataset.Dataset} first. */
@NullMarked
package io.optimus.am.dataset;

import org.jspecify.annotations.NullMarked;
