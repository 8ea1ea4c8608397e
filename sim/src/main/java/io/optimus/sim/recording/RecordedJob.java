package io.optimus.sim.recording;

import io.optimus.sim.engine.SimulatedJob;

/**
 * A job of a recording that can be simulated, beside what happened to it.
 *
 * @param name as its owner calls it
 * @param simulated the job as the simulation runs it
 * @param known which part of its life was recorded, and how that ended
 * @param waitedSeconds from its arrival until a plan gave it tasks
 * @param seconds from its arrival to its recorded end
 */
public record RecordedJob(String name, SimulatedJob simulated, Known known, double waitedSeconds, double seconds) {
    /**
     * The recorded part of a job's life.
     *
     * @param beganBefore whether it had begun to train when the recording began
     * @param outcome how it ended, or {@code still ran} where the recording ends before it
     */
    public record Known(boolean beganBefore, String outcome) {
        /** The outcome of a job that trained to its end. */
        static final String SUCCEEDED = "succeeded";

        /** The outcome of a job that was there when the recording ended. */
        static final String STILL_RAN = "still ran";

        /** Whether the whole job was recorded, and trained to its end. */
        public boolean isWhole() {
            return !beganBefore && outcome.equals(SUCCEEDED);
        }

        /** What was not recorded, in words; empty for nothing. */
        public String inWords() {
            String end = outcome.equals(SUCCEEDED) ? "" : outcome;
            return beganBefore ? (end.isEmpty() ? "" : end + ", ") + "began before" : end;
        }
    }

    public String id() {
        return simulated.id();
    }
}
