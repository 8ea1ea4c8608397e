/**
 * The worker process: one engine and one loop of steps. Open {@link io.optimus.am.worker.Worker} first. SampleOrder alone
 * decides which samples a worker takes.
 */
@NullMarked
package io.optimus.am.worker;

import org.jspecify.annotations.NullMarked;
