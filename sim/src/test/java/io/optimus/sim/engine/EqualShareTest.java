package io.optimus.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.cluster.Resources;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.truth.WorkStage;
import java.util.List;
import org.junit.Test;

public class EqualShareTest {
    private static final Resources EIGHT_GPUS = Resources.of(0, 0, 8);

    /** Computes the equal share of a job of 1 to 4 workers with a GPU each. */
    private static final SimulatedJob JOB = AllReduceJobs.job("a", 0, 1, 100);

    private static final SpeedFunction SPEED = size -> 1 + 0.8 * (size.workers() - 1);

    private static double seconds(double jobs) {
        return EqualShare.seconds(JOB, List.of(WorkStage.of(100, SPEED)), EIGHT_GPUS, jobs);
    }

    @Test
    public void followsTheWorkedExample() {
        assertThat(seconds(4)).isCloseTo(100 / 1.8, within(1e-9));
        assertThat(seconds(16)).isCloseTo(200, within(1e-9));
    }

    @Test
    public void givesWholeTasksAndNoMoreThanTheMaximum() {
        assertThat(seconds(3)).as("2.7 GPUs hold 2").isEqualTo(seconds(4));
        assertThat(seconds(1)).as("4 of 8 GPUs").isCloseTo(100 / 3.4, within(1e-9));
    }

    @Test
    public void addsUpStages() {
        List<WorkStage> stages = List.of(WorkStage.of(60, SPEED), WorkStage.of(40, SPEED));

        assertThat(EqualShare.seconds(JOB, stages, EIGHT_GPUS, 4)).isCloseTo(seconds(4), within(1e-9));
    }
}
