package io.optimus.yarn.enforce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

public final class SchedulerEnforcementTest {
    private static final ApplicationId BROKEN = ApplicationId.newInstance(1000, 1);
    private static final ApplicationId OTHER = ApplicationId.newInstance(1000, 2);

    private final List<Object> settled = new ArrayList<>();

    @Test
    public void enforcesOtherPlansIfOneFails() {
        CapacityScheduler scheduler = new BrokenScheduler();
        SchedulerEnforcement enforcement = new SchedulerEnforcement(scheduler, new GrantCeilings(scheduler));

        enforcement.publish(new TreeMap<>(Map.of(BROKEN, Ceiling.NOTHING, OTHER, Ceiling.NOTHING)));

        assertThat(settled).containsExactly(OTHER);
    }

    /** A scheduler that throws if one of its applications is looked up. */
    private final class BrokenScheduler extends CapacityScheduler {
        @Override
        public ConcurrentMap<ApplicationId, SchedulerApplication<FiCaSchedulerApp>> getSchedulerApplications() {
            return new ConcurrentHashMap<>() {
                @Override
                public @Nullable SchedulerApplication<FiCaSchedulerApp> get(Object id) {
                    if (id.equals(BROKEN)) {
                        throw new IllegalStateException("broken by the test");
                    }
                    settled.add(id);
                    return super.get(id);
                }
            };
        }
    }
}
