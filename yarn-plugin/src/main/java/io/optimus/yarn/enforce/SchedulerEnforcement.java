package io.optimus.yarn.enforce;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes plans binding on a live scheduler. */
public final class SchedulerEnforcement implements Enforcement {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerEnforcement.class);

    private final GrantCeilings ceilings;
    private final ShrinkEvents events;

    public SchedulerEnforcement(GrantCeilings ceilings, ShrinkEvents events) {
        this.ceilings = ceilings;
        this.events = events;
    }

    @Override
    public void publish(Map<ApplicationId, Ceiling> published) {
        // One by one: a job that registered meanwhile keeps the ceiling that it was given at the door.
        published.forEach(this::put);
    }

    private void put(ApplicationId application, Ceiling ceiling) {
        try {
            ceilings.put(application, ceiling);
        } catch (RuntimeException e) {
            LOG.warn("ceiling not settled, others are job={}", application, e);
        }
    }

    @Override
    public void carryOut(List<ShrinkAction> actions) {
        events.carryOut(actions);
    }
}
