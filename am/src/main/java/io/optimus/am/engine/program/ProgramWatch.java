package io.optimus.am.engine.program;

import io.optimus.am.engine.Activity.Phase;
import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.program.ProgramMessage.BetweenEpochs;
import io.optimus.am.engine.program.ProgramMessage.Computing;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.Waiting;
import java.time.Duration;
import java.util.Optional;

/**
 * Knows what a program does, as its messages tell, and how long it may take for that. A step has one limit. The program's
 * first step, in which it may compile its model, and its time between two epochs, where it may evaluate, have a longer
 * one. Waiting for other workers has none, since these have limits of their own.
 *
 * <p>The thread that receives uses it. Any thread may say that training has ended, and ask the {@link #clock()}.
 */
final class ProgramWatch {
    private final Program.Limits limits;
    private final ActivityClock clock = new ActivityClock();
    private volatile Phase phase = Phase.WAITING;
    private boolean betweenEpochs;
    private boolean stepped;

    ProgramWatch(Program.Limits limits) {
        this.limits = limits;
    }

    ActivityClock clock() {
        return clock;
    }

    /** The program is asked for a step, or begins one by itself. */
    void stepBegins() {
        enter(!stepped || betweenEpochs ? Phase.BETWEEN_EPOCHS : Phase.STEPPING);
    }

    /** The program has answered a step. */
    void stepEnded() {
        stepped = true;
        enter(Phase.WAITING);
    }

    /** The program is not in a step. */
    void waits() {
        enter(Phase.WAITING);
    }

    /** The program does what follows its last step. */
    void trainingEnded() {
        enter(Phase.BETWEEN_EPOCHS);
    }

    /** Notes what a message tells of what the program does. Returns false if it is no such message. */
    boolean takes(FromProgram message) {
        if (message instanceof Computing) {
            betweenEpochs = false;
            stepBegins();
        } else if (message instanceof Waiting) {
            waits();
        } else if (message instanceof BetweenEpochs) {
            betweenEpochs = true;
            enter(Phase.BETWEEN_EPOCHS);
        } else {
            return false;
        }
        return true;
    }

    private void enter(Phase next) {
        phase = next;
        clock.enter(next);
    }

    /** The time that the program has from the last message on; empty: it has no limit. */
    Optional<Duration> limit() {
        return switch (phase) {
            case WAITING -> Optional.empty();
            case STEPPING -> Optional.of(limits.step());
            case BETWEEN_EPOCHS -> Optional.of(limits.betweenEpochs());
        };
    }

    /**
     * What is wrong with a program that takes longer than its limit.
     *
     * @param work what it does, such as {@code step 12}
     */
    String problem(String work) {
        if (phase == Phase.STEPPING) {
            return "The program did not answer " + work + " within "
                    + limits.step().toSeconds() + " s: it hangs, or the job needs a larger stepTimeoutSeconds";
        }
        return "The program did not answer " + work + ", its first one or what comes after an epoch, within "
                + limits.betweenEpochs().toSeconds()
                + " s: it hangs, or the job needs a larger evaluationTimeoutSeconds";
    }
}
