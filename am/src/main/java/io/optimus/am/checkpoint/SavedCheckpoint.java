package io.optimus.am.checkpoint;

import io.optimus.am.progress.StepLosses;

/**
 * A checkpoint that can be resumed from.
 *
 * @param name of the file
 * @param step that comes next
 * @param floats parameters in it
 * @param ledger the losses before it
 */
public record SavedCheckpoint(String name, long step, int floats, StepLosses.State ledger) {}
