package io.optimus.sls.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.jspecify.annotations.Nullable;

/** Records what a scheduler does; safe for any thread. */
public final class SchedulerRecord {
    /** Name of the queue of training jobs. */
    public static final String TRAINING_QUEUE = "training";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final AllocateCalls all = new AllocateCalls();
    private final AllocateCalls ordinary = new AllocateCalls();
    private final LongAdder heartbeats = new LongAdder();

    SchedulerRecord() {}

    /**
     * What was recorded over a period.
     *
     * @param all all calls of {@code allocate}
     * @param ordinary those of applications that do not train
     * @param heartbeats heartbeats of nodes handled
     */
    public record Period(AllocateCalls.Period all, AllocateCalls.Period ordinary, long heartbeats) {}

    Allocation allocate(@Nullable SchedulerApplicationAttempt caller, Supplier<Allocation> call) {
        long processorBefore = THREADS.getCurrentThreadCpuTime();
        long before = System.nanoTime();
        Allocation allocation = call.get();
        long nanos = System.nanoTime() - before;
        long processorNanos = THREADS.getCurrentThreadCpuTime() - processorBefore;
        int granted = allocation.getContainers().size();
        all.add(nanos, processorNanos, granted);
        if (caller != null && !caller.getQueueName().endsWith(TRAINING_QUEUE)) {
            ordinary.add(nanos, processorNanos, granted);
        }
        return allocation;
    }

    /** Counts heartbeats. A node update that OptimusScheduler adds to them is of another class. */
    void handles(SchedulerEvent event) {
        if (event.getClass() == NodeUpdateSchedulerEvent.class) {
            heartbeats.increment();
        }
    }

    /** What was recorded since the last call. */
    public Period take() {
        return new Period(all.take(), ordinary.take(), heartbeats.sumThenReset());
    }
}
