package io.optimus.sls.applications;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/** Training as CapacityScheduler knows it: an application that asks for its tasks once and keeps them. */
public final class FixedTraining extends SimulatedApplication implements Training {
    private static final int PRIORITY = 11;

    private final int tasks;
    private boolean asked;
    private final AtomicInteger held = new AtomicInteger();

    public FixedTraining(int tasks) {
        this.tasks = tasks;
    }

    @Override
    void heartbeat() throws Exception {
        List<ResourceRequest> asks = asked ? List.of() : List.of(anywhere(trainingTask(), PRIORITY, tasks));
        asked = true;
        AllocateResponse response = allocate(asks, List.of());
        response.getAllocatedContainers().forEach(granted -> launch(granted, FOR_GOOD_MILLIS));
        held.addAndGet(response.getAllocatedContainers().size()
                - response.getCompletedContainersStatuses().size());
    }

    @Override
    public int tasksHeld() {
        return held.get();
    }

    @Override
    public boolean started() {
        return held.get() > 0;
    }

    @Override
    public long planFollowed() {
        return 0;
    }

    @Override
    public int plansFollowed() {
        return 0;
    }
}
