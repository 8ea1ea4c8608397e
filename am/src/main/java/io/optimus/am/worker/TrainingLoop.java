package io.optimus.am.worker;

import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ToTask;
import java.io.Closeable;
import java.io.IOException;

/** Carries out the coordinator's orders with a worker's engine. */
interface TrainingLoop extends Closeable {
    /** The next heartbeat; called by any thread. */
    Message.Alive heartbeat();

    /**
     * Carries out an order that does not wait for the step in flight, on the thread that receives. Returns false if the
     * order is for {@link #perform}.
     */
    boolean performAtOnce(ToTask order) throws IOException;

    /** Carries out an order, after the orders before it. */
    void perform(ToTask order) throws IOException;

    /** Wakes the thread in {@link #perform} where it waits for other tasks, which ends its work; called by any thread. */
    @Override
    void close() throws IOException;
}
