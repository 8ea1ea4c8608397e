package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

public class StepTimesTest {
    private static StepTimes times() {
        StepTimes.Means means = new StepTimes.Means();
        for (int nodes = 1; nodes <= 3; nodes++) {
            for (int replicas = nodes; replicas <= 4 * nodes; replicas++) {
                means.add(nodes, replicas, 10, new StepTime(nodes + 0.1 * replicas, 0.1));
                means.add(nodes, replicas, 20, new StepTime(nodes + 0.1 * replicas + 1, 0.1));
            }
        }
        return new StepTimes(
                Map.of(
                        List.of(1, 4, 3),
                        new TreeMap<>(Map.of(10, new StepTime(7, 1), 20, new StepTime(9, 3), 40, new StepTime(10, 3)))),
                means.interpolation(),
                3);
    }

    @Test
    public void countsARingFromItsSmallestRotation() {
        assertThat(StepTimes.rotation(List.of(4, 3, 1))).containsExactly(1, 4, 3);
        assertThat(StepTimes.rotation(List.of(2, 2, 1, 2))).containsExactly(1, 2, 2, 2);
        assertThat(StepTimes.rotation(List.of(4))).containsExactly(4);
    }

    @Test
    public void isLinearInTheBatchOnMeasuredPlacements() {
        assertThat(times().at(List.of(3, 1, 4), 15)).isEqualTo(new StepTime(8, 2));
        assertThat(times().at(List.of(4, 3, 1), 40)).isEqualTo(new StepTime(10, 3));
    }

    @Test
    public void isConstantBeyondTheOutermostMeasurement() {
        assertThat(times().at(List.of(4, 3, 1), 5)).isEqualTo(new StepTime(7, 1));
        assertThat(times().at(List.of(4, 3, 1), 400)).isEqualTo(new StepTime(10, 3));
    }

    @Test
    public void isInterpolatedOnOtherPlacements() {
        StepTime time = times().at(List.of(4, 2), 15);

        assertThat(time.seconds()).isCloseTo(2 + 0.6 + 0.5, within(1e-9));
        assertThat(time.synchronizationSeconds()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    public void treatsMoreNodesThanMeasuredAsTheMostMeasured() {
        assertThat(times().at(List.of(2, 2, 2, 2, 2), 10).seconds()).isCloseTo(4, within(1e-9));
    }

    @Test
    public void packsNodesAndLeavesNoneEmpty() {
        assertThat(StepTimes.packed(3, 10, 4)).containsExactly(4, 4, 2);
        assertThat(StepTimes.packed(3, 5, 4)).containsExactly(3, 1, 1);
        assertThat(StepTimes.packed(1, 6, 4)).containsExactly(6);
    }

    @Test
    public void addsAccumulatedStepsWithoutSynchronization() {
        assertThat(new StepTime(5, 2).updateSeconds(3)).isEqualTo(14);
    }
}
