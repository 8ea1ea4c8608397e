package io.optimus.yarn;

import io.optimus.yarn.read.LocalResourceManager.HeartbeatCounter;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** YARN's own scheduler; it counts the heartbeats that it has handled. */
public final class CountingCapacityScheduler extends CapacityScheduler implements HeartbeatCounter {
    private final AtomicLong heartbeats = new AtomicLong();

    @Override
    public void handle(SchedulerEvent event) {
        super.handle(event);
        if (event instanceof NodeUpdateSchedulerEvent) {
            heartbeats.incrementAndGet();
        }
    }

    @Override
    public long heartbeats() {
        return heartbeats.get();
    }
}
