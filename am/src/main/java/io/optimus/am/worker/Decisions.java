package io.optimus.am.worker;

import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message.AtDecision;
import io.optimus.am.wire.Message.GoOn;

/**
 * The first worker's way to ask the coordinator, before some steps, whether training goes on. It asks before the first step
 * of each membership, and each answer says when to ask next.
 */
final class Decisions {
    private final CoordinatorConnection coordinator;
    private MembershipNumber number = new MembershipNumber(0, 0);
    /** The step before which to ask next. */
    private long next;

    private boolean closed;

    Decisions(CoordinatorConnection coordinator) {
        this.coordinator = coordinator;
    }

    /** A membership begins. */
    synchronized void begin(MembershipNumber membership) {
        number = membership;
        next = 0;
    }

    /** The answer, on any thread. */
    synchronized void goOn(GoOn decided) {
        if (decided.number().equals(number)) {
            next = decided.decision();
            notifyAll();
        }
    }

    /** The coordinator that was asked is gone, and another one begins membership {@code by}. Called by any thread. */
    synchronized void superseded(MembershipNumber by) {
        if (number.isOlderThan(by)) {
            next = Long.MAX_VALUE;
            notifyAll();
        }
    }

    /** All steps before {@code step} are done: asks if a decision is due, and waits for the answer. */
    void await(long step) {
        AtDecision due;
        synchronized (this) {
            if (step < next || closed) {
                return;
            }
            due = new AtDecision(number, step);
        }
        coordinator.send(due);
        try {
            awaitAnswer(step);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitAnswer(long step) throws InterruptedException {
        while (step >= next && !closed) {
            wait();
        }
    }

    /** Nothing waits any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
