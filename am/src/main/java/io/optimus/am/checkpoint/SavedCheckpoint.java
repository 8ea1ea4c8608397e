package io.optimus.am.checkpoint;

import io.optimus.am.progress.StepLosses;

/**
 * A checkpoint that training can resume from.
 *
 * @param name the name of its file
 * @param step the next step
 * @param floats the number of its parameters
 * @param losses the losses before {@code step}
 */
public record SavedCheckpoint(String name, long step, int floats, StepLosses.State losses) {}
