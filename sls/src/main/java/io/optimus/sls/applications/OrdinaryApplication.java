package io.optimus.sls.applications;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * An ordinary application: it keeps a number of short tasks running, and asks for another as each ends. After its life it ends,
 * and another one may follow.
 */
public final class OrdinaryApplication extends SimulatedApplication {
    private static final int PRIORITY = 20;
    private static final long LEAST_TASK_MILLIS = 2_000;
    private static final int TASK_SPREAD_MILLIS = 6_000;

    private final int tasks;
    private final Random random;
    private final long lifeMillis;
    private final Runnable whenEnded;
    private final Resource task = Resource.newInstance(1024, 1);
    private long firstHeartbeatMillis;
    private boolean ended;
    private int running;
    /** Containers that the ResourceManager still owes it. */
    private int asked;

    /**
     * An application.
     *
     * @param tasks tasks at a time, of 2 to 8 s
     * @param lifeMillis how long it lives
     * @param seed of the durations of its tasks
     * @param whenEnded called once, when its life is over
     */
    public OrdinaryApplication(int tasks, long lifeMillis, long seed, Runnable whenEnded) {
        this.tasks = tasks;
        this.lifeMillis = lifeMillis;
        this.random = new Random(seed);
        this.whenEnded = whenEnded;
    }

    @Override
    void heartbeat() throws Exception {
        if (ended) {
            return;
        }
        long now = System.currentTimeMillis();
        firstHeartbeatMillis = firstHeartbeatMillis == 0 ? now : firstHeartbeatMillis;
        int missing = Math.max(0, tasks - running);
        List<ResourceRequest> asks = missing == asked ? List.of() : List.of(anywhere(task, PRIORITY, missing));
        asked = missing;
        AllocateResponse response = allocate(asks, List.of());
        for (Container granted : response.getAllocatedContainers()) {
            launch(granted, LEAST_TASK_MILLIS + random.nextInt(TASK_SPREAD_MILLIS));
            running++;
            asked = Math.max(0, asked - 1);
        }
        running -= response.getCompletedContainersStatuses().size();
        if (now - firstHeartbeatMillis >= lifeMillis) {
            ended = true;
            whenEnded.run();
        }
    }

    @Override
    boolean ended() {
        return ended;
    }
}
