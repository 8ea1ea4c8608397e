package io.optimus.am.master.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.job.JobFile;
import io.optimus.model.cluster.Resources;
import io.optimus.model.losses.LossPoint;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.Test;

public class JobMessagesTest {
    private static final List<LossPoint> LOSSES =
            List.of(new LossPoint(10, 2.0), new LossPoint(20, 1.9), new LossPoint(30, 1.8));

    @Test
    public void marksTheFirstLossOfAnotherCurve() {
        assertThat(JobMessages.losses(LOSSES, OptionalLong.of(15)))
                .extracting(LossPointProto::getBend)
                .containsExactly(false, true, false);
    }

    @Test
    public void marksNoLossBeforeTheBend() {
        assertThat(JobMessages.losses(LOSSES, OptionalLong.of(31)))
                .extracting(LossPointProto::getBend)
                .containsOnly(false);
        assertThat(JobMessages.losses(LOSSES, OptionalLong.empty()))
                .extracting(LossPointProto::getBend)
                .containsOnly(false);
    }

    @Test
    public void announcesTheEpochsAtWhichTheLearningRateFalls() throws InvalidJobFileException {
        String file = "name: a\nmodel: mlp\ndataset: digits\n";
        List<String> steps = List.of("optimizer.schedule=step", "optimizer.stepEpochs=[30, 60.5]");

        assertThat(JobMessages.job(
                                JobFile.parse("job.yaml", file, steps).spec(), Optional.empty(), role -> Resources.NONE)
                        .getBendsList())
                .containsExactly(30.0, 60.5);
        assertThat(JobMessages.job(
                                JobFile.parse("job.yaml", file, List.of()).spec(),
                                Optional.empty(),
                                role -> Resources.NONE)
                        .getBendsList())
                .isEmpty();
    }
}
