package io.optimus.am.coordinator;

/**
 * Notices a job that should step and does not get on although all its tasks give signs of life: a connection between
 * two of them may have been dropped without a word.
 */
final class ProgressWatchdog {
    private long step = -1;
    private long sinceNanos;

    /** Whether a job that steps, or does not, has had the next step {@code now} for longer than {@code nanos}. */
    boolean noticed(boolean stepping, long now, long nowNanos, long nanos) {
        if (!stepping || now != step) {
            step = stepping ? now : -1;
            sinceNanos = nowNanos;
            return false;
        }
        if (nowNanos - sinceNanos <= nanos) {
            return false;
        }
        sinceNanos = nowNanos;
        return true;
    }
}
