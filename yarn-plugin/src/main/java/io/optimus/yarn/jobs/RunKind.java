package io.optimus.yarn.jobs;

import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.throughput.BatchLimits;
import io.optimus.yarn.validation.Registration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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
    /** The batch of a job whose program or whose commands decide it. */
    private static final long UNDECIDED = 1;

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

    /**
     * Whether a job that was not submitted may train like this run. Its job file leaves open what is known once it trains: the
     * batch and the epochs of its program, and the batches that it may choose.
     *
     * @param asked the kind of the job that was not submitted
     */
    public boolean mayTellOf(RunKind asked) {
        boolean decided = asked.globalBatch != UNDECIDED;
        return user.equals(asked.user)
                && name.equals(asked.name)
                && hasServers == asked.hasServers
                && mode == asked.mode
                && (!decided || globalBatch == asked.globalBatch)
                && (asked.batches.isEmpty() || batches.equals(asked.batches))
                && (decided ? stop.equals(asked.stop) : endsLike(asked));
    }

    private boolean endsLike(RunKind asked) {
        Set<StopRule.Single> theirs = rules(asked.stop);
        Set<StopRule.Single> own = rules(stop);
        return own.containsAll(theirs)
                && own.stream().allMatch(rule -> theirs.contains(rule) || rule instanceof StopRule.MaxEpochs);
    }

    private static Set<StopRule.Single> rules(Optional<StopRule> stop) {
        return stop.stream().flatMap(StopRule::singles).collect(Collectors.toSet());
    }
}
