package io.optimus.yarn;

import io.optimus.yarn.capacity.Ceiling;
import io.optimus.yarn.capacity.GrantCeilings;
import io.optimus.yarn.capacity.ShrinkAction;
import io.optimus.yarn.capacity.ShrinkEvents;
import io.optimus.yarn.round.Enforcement;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes plans binding on a live scheduler. */
final class LiveEnforcement implements Enforcement {
    private static final Logger LOG = LoggerFactory.getLogger(LiveEnforcement.class);

    private final GrantCeilings ceilings;
    private final ShrinkEvents events;

    LiveEnforcement(GrantCeilings ceilings, ShrinkEvents events) {
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
