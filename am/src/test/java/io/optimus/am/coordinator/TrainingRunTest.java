package io.optimus.am.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.LocalCheckpointStore;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public final class TrainingRunTest {
    private static final int FLOATS = 4;
    private static final Message.Welcome WELCOME =
            new Message.Welcome(TrainingMode.SYNCHRONOUS, WireFormat.FLOAT32, 64, 1, 100, 1_000, 3_000, false);

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** A server that stands still reports its last steps when their membership is over. */
    @Test
    public void stepsThatWereTakenBackDoNotCountWhenTheyAreReportedLate() throws IOException {
        MembershipNumber before = new MembershipNumber(1, 1);
        MembershipNumber after = new MembershipNumber(1, 2);
        try (TrainingRun run = new TrainingRun(
                TestJob.settings(TrainingMode.SYNCHRONOUS, new Optimizer.Sgd(1, 0, 0), 100),
                1,
                new LocalCheckpointStore(folder.getRoot().toPath()),
                new Ignored(),
                new ConnectedTasks(WELCOME),
                Runnable::run)) {
            run.loaded(new Message.WorkerReady(
                    List.of(ParameterBlock.parameter("weights", FLOATS)), 64, Optional.empty(), Optional.empty()));
            run.applied(steps(before, 0, 97));
            run.restoredTo(new SavedCheckpoint("fifty", 50, FLOATS, stateBefore(50)), after);

            run.applied(steps(before, 97, 3));

            assertThat(run.knownStep()).isEqualTo(50);
            run.applied(steps(after, 50, 1));
            assertThat(run.knownStep()).isEqualTo(51);
        }
    }

    private static Message.Applied steps(MembershipNumber number, long first, int count) {
        return new Message.Applied(number, first, new double[count], 0);
    }

    /** One step is an epoch. */
    private static StepLosses.State stateBefore(int step) {
        List<Double> epochs = Collections.nCopies(step, 0.0);
        return new StepLosses.State(step, epochs, 0, 0, new StepLosses.Trained(64L * step, 64, step, null), null);
    }

    private static final class Ignored implements CoordinatorListener {
        @Override
        public void warned(String message) {}

        @Override
        public void failed(String reason) {}
    }
}
