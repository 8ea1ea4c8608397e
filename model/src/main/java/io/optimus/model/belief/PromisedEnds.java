package io.optimus.model.belief;

/**
 * What a job has promised, held against the time that it has held tasks since. Nobody but the job knows its remaining steps, but
 * it is not believed where its own reports contradict each other.
 *
 * <p>A job that is always nearly done, and does not end, has at least as many steps left as it is late:
 *
 * <pre>late = max(0, E − min(E_i + R_i)),  E = Σ f(tasks) · seconds / 2</pre>
 *
 * <p>Here R_i are the remaining steps that were predicted when E was E_i, and f is the job's own speed function. Halving the steps
 * gives each promise twice its time, because a job stands still in a resize, or is slower than measured. Only promises from the
 * last half of the job's time count, so that a poor prediction of its youth is forgotten.
 *
 * <p>Example: a job of 10 steps/s says from its start that 1 step is left. After 100 s, E = 500, and the promises of the last 50 s
 * end at E = 251 or later: it is late by 249 steps, 25 s. An honest twin that needs 200 s has 1,000 steps left.
 *
 * <p>Not thread-safe.
 */
final class PromisedEnds {
    /** A promise has this many times the time that it names. */
    private static final double PATIENCE = 2;
    /** Promises of the first minute are forgotten together. */
    private static final double FIRST_SECONDS = 60;

    private double seconds;
    private double expected;
    private double turnsAt = FIRST_SECONDS;
    /** The earliest end, in expected steps, promised before the last turn; infinite if none was. */
    private double before = Double.POSITIVE_INFINITY;

    private double since = Double.POSITIVE_INFINITY;

    /**
     * The job held tasks for another time.
     *
     * @param moreSeconds that time, 0 or more
     * @param stepsPerSecond on these tasks, by its own measurements; 0 if they are not known
     */
    void held(double moreSeconds, double stepsPerSecond) {
        if (!(moreSeconds > 0 && stepsPerSecond > 0)) {
            return;
        }
        seconds += moreSeconds;
        expected += moreSeconds * stepsPerSecond / PATIENCE;
        if (seconds >= turnsAt) {
            before = since;
            since = Double.POSITIVE_INFINITY;
            turnsAt = 2 * seconds;
        }
    }

    /** The job promises to end in this many steps. */
    void promise(double remainingSteps) {
        since = Math.min(since, expected + remainingSteps);
    }

    /** The steps by which it is late, 0 or more. */
    double lateSteps() {
        return Math.max(0, expected - Math.min(before, since));
    }
}
