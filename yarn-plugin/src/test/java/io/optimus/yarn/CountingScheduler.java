package io.optimus.yarn;

import io.optimus.yarn.read.LocalResourceManager.HeartbeatCounter;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;

/** The scheduler of the product; it counts the heartbeats that it has handled. */
public final class CountingScheduler extends OptimusScheduler implements HeartbeatCounter {
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
