package io.optimus.am.engine.program;

import java.time.Duration;

/**
 * The times after which a job's program counts as hung.
 *
 * @param step of one step
 * @param betweenEpochs between two epochs, and of the program's first step
 */
public record StepLimits(Duration step, Duration betweenEpochs) {}
