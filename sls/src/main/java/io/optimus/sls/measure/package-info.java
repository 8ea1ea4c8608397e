/** What is measured of a scheduler. Open {@link io.optimus.sls.measure.MeasuredScheduler} first. */
@NullMarked
package io.optimus.sls.measure;

import org.jspecify.annotations.NullMarked;
