package io.optimus.am.yaml;

/**
 * One thing that is wrong in a file.
 *
 * @param where the position of the value or key
 * @param key the dotted path of the key; empty if the whole file is meant
 * @param sentence what is wrong, and the remedy
 */
public record FileProblem(SourcePosition where, String key, String sentence) {
    /** {@code job.yaml:12:5: roles.ps.max: 1 is below min, which is 2: ...}. */
    @Override
    public String toString() {
        return where + ": " + (key.isEmpty() ? "" : key + ": ") + sentence;
    }
}
