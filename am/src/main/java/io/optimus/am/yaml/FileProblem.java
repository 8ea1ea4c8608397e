package io.optimus.am.yaml;

/**
 * One thing that is wrong in a job file.
 *
 * @param where it was written
 * @param key its dotted path; empty where the whole file is meant
 * @param sentence what is wrong and the remedy
 */
public record FileProblem(SourcePosition where, String key, String sentence) {
    /** {@code job.yaml:12:5: roles.ps.max: 1 is below min, which is 2: ...}. */
    @Override
    public String toString() {
        return where + ": " + (key.isEmpty() ? "" : key + ": ") + sentence;
    }
}
