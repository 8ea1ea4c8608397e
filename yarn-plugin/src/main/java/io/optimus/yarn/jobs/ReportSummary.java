package io.optimus.yarn.jobs;

/**
 * The changes that a report made.
 *
 * @param newSize whether the speed of a size was measured for the first time
 * @param resizes resizes that were carried out, without the job's start
 * @param pauseMillis how long the job did not train because of them
 * @param refused values that were refused
 * @param newPriority whether YARN has changed the priority of the job since the report before
 */
public record ReportSummary(boolean newSize, int resizes, long pauseMillis, long refused, boolean newPriority) {
    /** A repeated report, which changes nothing. */
    public static final ReportSummary NONE = new ReportSummary(false, 0, 0, 0, false);
}
