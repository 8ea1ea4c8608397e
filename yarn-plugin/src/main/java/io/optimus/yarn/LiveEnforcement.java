package io.optimus.yarn;

import io.optimus.yarn.capacity.Ceiling;
import io.optimus.yarn.capacity.GrantCeilings;
import io.optimus.yarn.capacity.ShrinkAction;
import io.optimus.yarn.capacity.ShrinkEvents;
import io.optimus.yarn.round.Enforcement;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Makes plans binding on a live scheduler. */
final class LiveEnforcement implements Enforcement {
    private final GrantCeilings ceilings;
    private final ShrinkEvents events;

    LiveEnforcement(GrantCeilings ceilings, ShrinkEvents events) {
        this.ceilings = ceilings;
        this.events = events;
    }

    @Override
    public void publish(Map<ApplicationId, Ceiling> published) {
        // One by one: a job that registered meanwhile keeps the ceiling that it was given at the door.
        published.forEach(ceilings::put);
    }

    @Override
    public void carryOut(List<ShrinkAction> actions) {
        events.carryOut(actions);
    }
}
