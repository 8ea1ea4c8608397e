package io.optimus.am.job;

/**
 * One thing that is wrong in a job file.
 *
 * @param where it was written
 * @param key its dotted path; empty where the whole file is meant
 * @param sentence what is wrong and the remedy
 */
public record Problem(Origin where, String key, String sentence) {
    /** {@code job.yaml:12:5: roles.ps.max: 1 is below min, which is 2: ...}. */
    @Override
    public String toString() {
        return where + ": " + (key.isEmpty() ? "" : key + ": ") + sentence;
    }
}
