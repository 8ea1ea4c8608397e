package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.progress.StepLosses;
import io.optimus.model.convergence.StopRule;
import java.util.List;
import org.junit.Test;

public final class KeptStateTest {
    private static final StepLosses.State LOSSES =
            new StepLosses.State(81, List.of(0.5, 0.25), 0.2, 1, new StepLosses.Trained(810, 10, 81, null), null);

    @Test
    public void theNextCoordinatorReadsWhatThisOneKnew() {
        KeptState.End end = new KeptState.End(81, new StopRule.Stop(true, "converged: the program reported \"0.9\""));

        assertThat(KeptState.read(new KeptState(LOSSES, end).write())).isEqualTo(new KeptState(LOSSES, end));
        assertThat(KeptState.read(new KeptState(LOSSES, null).write())).isEqualTo(new KeptState(LOSSES, null));
    }
}
