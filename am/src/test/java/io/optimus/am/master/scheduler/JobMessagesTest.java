package io.optimus.am.master.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.losses.LossPoint;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import java.util.List;
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
}
