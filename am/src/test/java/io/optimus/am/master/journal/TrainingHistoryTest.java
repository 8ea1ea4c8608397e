package io.optimus.am.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.journal.ResizeRecord.ResizeReason;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import org.junit.Test;

public class TrainingHistoryTest {
    private final TrainingHistory asynchronous = new TrainingHistory(TrainingMode.ASYNCHRONOUS);

    @Test
    public void anotherNumberOfAsynchronousWorkersBeginsAnotherCurve() {
        resize(asynchronous, new Allocation(0, 0), new Allocation(1, 1), 0);
        asynchronous.addLoss(new LossPoint(10, 2.0));
        resize(asynchronous, new Allocation(1, 1), new Allocation(1, 3), 15);
        asynchronous.addLoss(new LossPoint(20, 1.9));

        assertThat(asynchronous.takeNews().bend()).hasValue(15);
        assertThat(asynchronous.bend()).as("for a scheduler that starts anew").hasValue(15);
    }

    @Test
    public void aBendIsNewUntilALossBeyondItWasReturned() {
        resize(asynchronous, new Allocation(1, 2), new Allocation(1, 1), 15);
        asynchronous.addLoss(new LossPoint(10, 2.0));
        assertThat(asynchronous.takeNews().bend()).hasValue(15);

        asynchronous.addLoss(new LossPoint(15, 1.9));
        assertThat(asynchronous.takeNews().bend()).hasValue(15);

        asynchronous.addLoss(new LossPoint(25, 1.8));
        assertThat(asynchronous.takeNews().bend()).isEmpty();
    }

    @Test
    public void parameterServersAndSynchronousWorkersDoNotBendTheCurve() {
        TrainingHistory synchronous = new TrainingHistory(TrainingMode.SYNCHRONOUS);
        resize(synchronous, new Allocation(1, 1), new Allocation(1, 4), 5);
        resize(asynchronous, new Allocation(1, 4), new Allocation(3, 4), 5);

        assertThat(synchronous.bend()).isEmpty();
        assertThat(asynchronous.bend()).isEmpty();
    }

    private static void resize(TrainingHistory history, Allocation from, Allocation to, long step) {
        history.addResize(new ResizeRecord(0, from, to, 5, step, new ResizeReason(true, 1, false, "test")));
    }
}
