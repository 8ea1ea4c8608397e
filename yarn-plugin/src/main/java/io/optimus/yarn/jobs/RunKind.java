package io.optimus.yarn.jobs;

import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.yarn.validation.Registration;
import java.util.Optional;

/**
 * What two runs of a job have in common where one tells how long the other takes.
 *
 * @param user who submitted it
 * @param name that its owner gave it
 * @param hasServers whether it trains with parameter servers
 * @param mode how gradients are combined
 * @param globalBatch samples in one step
 * @param batches the batches that it may train with; empty if its batch is fixed
 * @param stop when training ends; empty for a job without a stop rule
 */
public record RunKind(
        String user,
        String name,
        boolean hasServers,
        TrainingMode mode,
        long globalBatch,
        Optional<BatchLimits> batches,
        Optional<StopRule> stop) {
    /** The kind of {@code job}. */
    public static RunKind of(JobView job) {
        Registration registration = job.registration();
        Registration.Training training = registration.training();
        return new RunKind(
                job.facts().user(),
                registration.name(),
                registration.demand().hasParameterServers(),
                training.mode(),
                training.globalBatch(),
                training.batches(),
                training.stop());
    }
}
