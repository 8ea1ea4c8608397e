package io.optimus.am.ps;

/**
 * Before which steps a synchronous server saves its shard: each multiple of the job's interval, or of the interval
 * doubled as often as it takes for a save to end before the next one. Servers decide that by themselves, yet meet: a
 * slower one's steps are among a faster one's.
 *
 * <p>Example: interval 100, a save takes 150 steps. 100 is saved, 200 finds it still being saved, so 200 becomes the
 * interval: 400, 600, 800 are saved. When saves take less than 100 steps again, 900 finds nothing being saved, and the
 * interval is 100 as before.
 */
final class SaveInterval {
    private final long everySteps;
    private long spacing;
    private long lastSaved = -1;

    /** Of a job that saves each {@code everySteps} steps, 1 or more. */
    SaveInterval(long everySteps) {
        this.everySteps = everySteps;
        this.spacing = everySteps;
    }

    /** Whether to save before {@code step}, while an earlier shard is still being saved or not. */
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
