package io.optimus.yarn.enforce;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Records the ceilings and shrink actions to enforce. */
public final class RecordedEnforcement implements Enforcement {
    public final Map<ApplicationId, Ceiling> ceilings = new HashMap<>();
    /** How often ceilings were published. */
    public int publications;

    public final List<ShrinkAction> actions = new ArrayList<>();

    @Override
    public void publish(Map<ApplicationId, Ceiling> published) {
        publications++;
        ceilings.putAll(published);
    }

    @Override
    public List<ShrinkAction> carryOut(List<ShrinkAction> carriedOut) {
        actions.addAll(carriedOut);
        return carriedOut;
    }
}
