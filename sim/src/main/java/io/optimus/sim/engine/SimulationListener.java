package io.optimus.sim.engine;

import io.optimus.model.job.Placement;
import java.util.List;

/** Receives the events of a simulation, and changes nothing. */
public interface SimulationListener {
    /** A round was planned and carried out. */
    void planned(RoundFacts round);

    /** The tasks of {@code job} changed. */
    void moved(double nowSeconds, SimulatedJob job, Placement to);

    /** A job ended. */
    void ended(JobOutcome outcome);

    /**
     * One round.
     *
     * @param seconds virtual time
     * @param decisionNanos wall-clock time of planning: the only figure that differs between two runs
     * @param beliefs the errors of beliefs about the jobs that trained, before the round
     */
    record RoundFacts(double seconds, long decisionNanos, List<BeliefError> beliefs) {
        public RoundFacts {
            beliefs = List.copyOf(beliefs);
        }
    }

    /**
     * The error of the belief about a job.
     *
     * @param model name of the model that the job trains
     * @param progress part of the job's true work that is done, from 0 to 1
     * @param remainingError believed less true remaining steps, as a part of all its true steps; NaN without a belief
     * @param speedError believed over true speed on its present tasks, less 1; NaN without a belief
     */
    record BeliefError(String model, double progress, double remainingError, double speedError) {}
}
