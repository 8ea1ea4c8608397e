package io.optimus.sim.engine;

import io.optimus.model.job.Placement;
import java.util.List;

/** Sees what happens in a simulation, and changes nothing. */
public interface SimulationListener {
    /** A round was planned and carried out. */
    void planned(RoundFacts round);

    /** The tasks of {@code job} changed. */
    void moved(double nowSeconds, SimulatedJob job, Placement to);

    /** A job ended. */
    void ended(JobOutcome outcome);

    /**
     * A round.
     *
     * @param seconds virtual time
     * @param decisionNanos what planning took, by the clock on the wall: the only figure that differs between two runs
     * @param beliefs what was believed before the round of jobs that stepped
     */
    record RoundFacts(double seconds, long decisionNanos, List<Belief> beliefs) {
        /** Copies. */
        public RoundFacts {
            beliefs = List.copyOf(beliefs);
        }
    }

    /**
     * A belief beside the truth, of a job that had both.
     *
     * @param model that the job trains
     * @param progress part of its true work that was done, from 0 to 1
     * @param remainingError believed less true remaining steps, as a part of all its true steps; no number where nothing was believed
     * @param speedError believed over true speed on its present tasks, less 1; no number where nothing was believed
     */
    record Belief(String model, double progress, double remainingError, double speedError) {}
}
