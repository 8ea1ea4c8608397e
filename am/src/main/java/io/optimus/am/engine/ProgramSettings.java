package io.optimus.am.engine;

import io.optimus.model.convergence.StopRule;
import io.optimus.model.losses.AnnouncedBends;
import java.util.List;

/**
 * What an owner's program decides about its training, in place of the job file.
 *
 * @param batch the samples of a step, 1 or more; synchronous: of all workers, asynchronous: of one worker
 * @param epochs the passes over the training samples after which the program ends, 1 or more
 * @param optimizer how gradients are applied; each push brings its own learning rates and weight decays
 * @param groups the number of the optimizer's parameter groups, 1 or more
 * @param bends the epochs at which its learning rate falls, as far as it knows
 */
public record ProgramSettings(int batch, int epochs, Optimizer optimizer, int groups, AnnouncedBends bends) {
    public ProgramSettings {
        if (batch < 1 || epochs < 1 || groups < 1) {
            throw new IllegalArgumentException(
                    "A program needs a batch, epochs and parameter groups of at least 1, got " + batch + ", " + epochs
                            + " and " + groups);
        }
    }

    /** The same with other bends. */
    public ProgramSettings withBends(AnnouncedBends others) {
        return new ProgramSettings(batch, epochs, optimizer, groups, others);
    }

    /** When training ends: with {@code rule}, or after the program's epochs. */
    public StopRule stop(StopRule rule) {
        return new StopRule.FirstOf(List.of(rule, new StopRule.MaxEpochs(epochs, true)));
    }
}
