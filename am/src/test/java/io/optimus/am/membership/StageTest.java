package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.wire.TaskId;
import java.util.Arrays;
import java.util.Set;
import org.junit.Test;

public final class StageTest {
    private static final TaskId ONE = TaskId.worker(1);
    private static final TaskId TWO = TaskId.worker(2);

    @Test
    public void refusesTransitionThatTheTableLacks() {
        Stage stage = new Stage();
        assertThatThrownBy(() -> stage.enter(Phase.STARTING, Set.of(), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("WAITING to STARTING");
        assertThat(stage.phase()).isEqualTo(Phase.WAITING);
    }

    @Test
    public void everyPhaseCanEndInOrderExceptTheEnd() {
        assertThat(Phase.values())
                .allMatch(
                        phase -> phase == Phase.ENDED || phase == Phase.LEAVING || Stage.allows(phase, Phase.LEAVING));
        assertThat(Stage.allows(Phase.LEAVING, Phase.ENDED)).isTrue();
        assertThat(Phase.values()).noneMatch(phase -> Stage.allows(Phase.ENDED, phase));
    }

    @Test
    public void onlyPlacedServersMayStart() {
        assertThat(Arrays.stream(Phase.values()).filter(phase -> Stage.allows(phase, Phase.STARTING)))
                .containsExactly(Phase.PLACING);
    }

    @Test
    public void isCompleteWhenTheLastOneArrives() {
        Stage stage = new Stage();
        stage.enter(Phase.PLACING, Set.of(ONE, TWO), 10);
        assertThat(stage.arrived(ONE)).isFalse();
        assertThat(stage.arrived(ONE)).isFalse();
        assertThat(stage.arrived(TWO)).isTrue();
        assertThat(stage.arrived(TWO)).isFalse();
    }

    @Test
    public void namesWhoIsLateInPhasesThatShouldBeShort() {
        Stage stage = new Stage();
        assertThat(stage.lateAfter(5, 1_000)).isEmpty();
        stage.enter(Phase.PLACING, Set.of(ONE, TWO), 10);
        stage.forget(ONE);
        assertThat(stage.lateAfter(5, 15)).isEmpty();
        assertThat(stage.lateAfter(5, 16)).containsExactly(TWO);
    }
}
