/** Labelled samples for training and for evaluation. Open {@link io.optimus.am.dataset.Dataset} first. */
@NullMarked
package io.optimus.am.dataset;

import org.jspecify.annotations.NullMarked;
