package io.optimus.yarn.round;

import io.optimus.yarn.capacity.Ceiling;
import io.optimus.yarn.capacity.ShrinkAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Keeps what was to be enforced. */
final class RecordedEnforcement implements Enforcement {
    final Map<ApplicationId, Ceiling> ceilings = new HashMap<>();
    final List<ShrinkAction> actions = new ArrayList<>();

    @Override
    public void publish(Map<ApplicationId, Ceiling> published) {
        ceilings.putAll(published);
    }

    @Override
    public void carryOut(List<ShrinkAction> carriedOut) {
        actions.addAll(carriedOut);
    }
}
