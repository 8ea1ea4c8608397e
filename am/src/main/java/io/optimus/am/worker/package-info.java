/**
 * The worker process: one engine, one loop of steps. Open {@link io.optimus.am.worker.Worker} first; which samples a
 * worker takes is in SampleOrder alone.
 */
@NullMarked
package io.optimus.am.worker;

import org.jspecify.annotations.NullMarked;
