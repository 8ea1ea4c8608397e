package io.optimus.am.ps;

/**
 * The steps before which a synchronous server saves its shard: the multiples of the job's interval. The interval is
 * doubled until a save ends before the next one. Each server decides this by itself. Their checkpoints still meet, since
 * the steps of a slower server are among those of a faster one.
 *
 * <p>Example: the interval is 100, and a save takes 150 steps. Step 100 is saved. At step 200 that save still runs, so
 * the interval becomes 200: steps 400, 600 and 800 are saved. When saves take less than 100 steps again, no save runs at
 * step 900, and the interval is 100 again.
 */
final class SaveInterval {
    private final long everySteps;
    private long spacing;
    private long lastSaved = -1;

    /** Begins with the job's interval, 1 step or more. */
    SaveInterval(long everySteps) {
        this.everySteps = everySteps;
        this.spacing = everySteps;
    }

    /** Whether to save before {@code step}; {@code saving} says whether an earlier save still runs. */
    boolean isDue(long step, boolean saving) {
        if (step % everySteps != 0) {
            return false;
        }
        if (saving) {
            if (step % spacing == 0 && spacing <= Long.MAX_VALUE / 2) {
                spacing *= 2;
            }
            return false;
        }
        if (spacing > everySteps && step - lastSaved == spacing / 2 && lastSaved % spacing == 0) {
            spacing /= 2;
        }
        if (step % spacing != 0) {
            return false;
        }
        lastSaved = step;
        return true;
    }
}
