package io.optimus.am.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.scheduler.JobMessages;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import java.util.List;
import org.junit.Test;

public class TrainingHistoryTest {
    private final TrainingHistory asynchronous = new TrainingHistory(TrainingMode.ASYNCHRONOUS);

    @Test
    public void anotherNumberOfAsynchronousWorkersBeginsAnotherCurve() {
        grow(asynchronous, new Allocation(0, 0), new Allocation(1, 1), 0);
        asynchronous.loss(new LossPoint(10, 2.0));
        grow(asynchronous, new Allocation(1, 1), new Allocation(1, 3), 15);
        asynchronous.loss(new LossPoint(20, 1.9));
        asynchronous.loss(new LossPoint(30, 1.8));

        assertThat(bends(asynchronous.takeNews())).containsExactly(20L);
        assertThat(asynchronous.bend()).as("for a scheduler that starts anew").hasValue(15);
    }

    @Test
    public void aBendIsToldOnceAndNotBeforeALossThatFollowsIt() {
        grow(asynchronous, new Allocation(1, 2), new Allocation(1, 1), 15);
        asynchronous.loss(new LossPoint(10, 2.0));
        assertThat(bends(asynchronous.takeNews())).isEmpty();

        asynchronous.loss(new LossPoint(15, 1.9));
        assertThat(bends(asynchronous.takeNews())).containsExactly(15L);

        asynchronous.loss(new LossPoint(25, 1.8));
        assertThat(bends(asynchronous.takeNews())).isEmpty();
    }

    @Test
    public void parameterServersAndSynchronousWorkersLeaveTheCurveAsItIs() {
        TrainingHistory synchronous = new TrainingHistory(TrainingMode.SYNCHRONOUS);
        grow(synchronous, new Allocation(1, 1), new Allocation(1, 4), 5);
        grow(asynchronous, new Allocation(1, 4), new Allocation(3, 4), 5);

        assertThat(synchronous.bend()).isEmpty();
        assertThat(asynchronous.bend()).isEmpty();
    }

    private static void grow(TrainingHistory story, Allocation from, Allocation to, long step) {
        story.resize(new ResizeRecord(0, from, to, 5, step, false, "test", 1, true));
    }

    private static List<Long> bends(TrainingHistory.News news) {
        return JobMessages.losses(news.losses(), news.bend()).stream()
                .filter(LossPointProto::getBend)
                .map(LossPointProto::getStep)
                .toList();
    }
}
