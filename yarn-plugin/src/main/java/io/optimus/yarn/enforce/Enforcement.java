package io.optimus.yarn.enforce;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

public interface Enforcement {
    /** Sets the ceilings of these training applications; all others keep theirs. */
    void publish(Map<ApplicationId, Ceiling> ceilings);

    void carryOut(List<ShrinkAction> actions);

    /** Enforces nothing: for mode {@code advise}. */
    Enforcement NONE = new Enforcement() {
        @Override
        public void publish(Map<ApplicationId, Ceiling> ceilings) {}

        @Override
        public void carryOut(List<ShrinkAction> actions) {}
    };
}
