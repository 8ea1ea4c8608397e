package io.optimus.am.progress;

import io.optimus.model.TrainingMode;
import io.optimus.model.convergence.StopRule;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The steps at which training may end. A rule about losses or accuracy is decided where an epoch ends, before a step of the next
 * one is applied, so that the same losses end training at the same step, however fast they are told.
 *
 * <p>Example, 100 samples, batch 40: epoch 1 ends with step 2, and its loss is judged before step 3. A synchronous job ends after
 * step 3, which its first worker marks as the last one; an asynchronous job, whose updates the server counts, after step 2. A
 * synchronous job with nothing but {@code maxEpochs: 1} ends after step 2.
 *
 * @param stop when training ends by its losses and epochs
 * @param targetsAccuracy whether a report of a program may end it
 * @param mode synchronous workers know the last step of the last epoch, and stop by themselves
 * @param samples the samples of the steps
 */
public record EndSteps(StopRule stop, boolean targetsAccuracy, TrainingMode mode, StepSamples samples) {
    /** The last epoch of synchronous training, whose end all workers know; empty if there is none. */
    public OptionalInt lastEpoch() {
        return mode == TrainingMode.SYNCHRONOUS ? stop.maxEpochs() : OptionalInt.empty();
    }

    /**
     * The step before which workers stop by themselves; {@link Long#MAX_VALUE} if there is none yet. Once the losses end
     * synchronous training, all later memberships know this step, also those of another ApplicationMaster.
     *
     * @param decidedBefore the step before which it was decided, by the losses, that training ends; empty if it goes on
     */
    public long endStep(OptionalLong decidedBefore) {
        OptionalInt last = lastEpoch();
        long end = last.isPresent() ? samples.stepsOf(last.getAsInt()) : Long.MAX_VALUE;
        return mode == TrainingMode.SYNCHRONOUS && decidedBefore.isPresent()
                ? Math.min(end, decidedBefore.getAsLong() + 1)
                : end;
    }

    /**
     * The next step before which it is decided whether training goes on; {@link Long#MAX_VALUE}: it ends at a known step.
     *
     * @param ended the number of epochs that have ended, 0 or more
     */
    public long decisionStep(int ended) {
        boolean everyEpoch = targetsAccuracy
                || stop.singles().anyMatch(rule -> rule.match(plateau -> true, target -> true, maximum -> false));
        if (everyEpoch) {
            return samples.stepsOf(ended + 1);
        }
        return mode == TrainingMode.SYNCHRONOUS || stop.maxEpochs().isEmpty()
                ? Long.MAX_VALUE
                : samples.stepsOf(stop.maxEpochs().getAsInt());
    }
}
