package io.optimus.am.coordinator;

/**
 * A checkpoint that can be resumed from.
 *
 * @param name of the file
 * @param step that comes next
 * @param floats parameters in it
 * @param ledger the losses before it
 */
record SavedState(String name, long step, int floats, LossLedger.State ledger) {}
