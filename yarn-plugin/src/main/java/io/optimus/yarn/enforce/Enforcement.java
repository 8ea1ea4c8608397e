package io.optimus.yarn.enforce;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Makes the plan binding; in mode {@code advise} there is none. */
public interface Enforcement {
    /** Sets the ceilings of these training applications; others keep theirs. */
    void publish(Map<ApplicationId, Ceiling> ceilings);

    /** Asks containers back, and takes them back. */
    void carryOut(List<ShrinkAction> actions);

    /** Enforces nothing. */
    Enforcement NONE = new Enforcement() {
        @Override
        public void publish(Map<ApplicationId, Ceiling> ceilings) {}

        @Override
        public void carryOut(List<ShrinkAction> actions) {}
    };
}
