package io.optimus.yarn.enforce;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

public interface Enforcement {
    /** Sets the ceilings of these training applications; all others keep theirs. */
    void publish(Map<ApplicationId, Ceiling> ceilings);

    /** Carries out these actions, and returns those that were. */
    List<ShrinkAction> carryOut(List<ShrinkAction> actions);
}
