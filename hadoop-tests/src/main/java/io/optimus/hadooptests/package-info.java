/**
 * Runs the tests of Hadoop's ResourceManager on CapacityScheduler and on OptimusScheduler, and compares the results, for
 * {@code scripts/hadoop-tests}. Open {@link io.optimus.hadooptests.HadoopTests} first.
 */
@NullMarked
package io.optimus.hadooptests;

import org.jspecify.annotations.NullMarked;
