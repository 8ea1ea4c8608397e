package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.journal.ListJournal;
import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.am.master.plan.FakeCoordinator;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.PlanFollowerFixture;
import io.optimus.am.master.yarn.FakeContainers;
import io.optimus.model.TrainingMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.Test;

public class EventDispatcherTest {
    /** The search for a checkpoint warns while the ApplicationMaster starts. */
    @Test
    public void keepsWhatHappensBeforeThereIsAReceiver() {
        List<Throwable> faults = new CopyOnWriteArrayList<>();
        List<AttemptOutcome> endings = new CopyOnWriteArrayList<>();
        ListJournal journal = new ListJournal();
        try (EventLoop loop = new EventLoop(faults::add)) {
            EventDispatcher dispatcher = new EventDispatcher(loop, endings::add);
            dispatcher.warned("a checkpoint is damaged");
            loop.ask(() -> true, Duration.ofSeconds(10));

            dispatcher.dispatchTo(new JobController(
                    new JobIdentity("application_1_1", 1, "ann", JobSpecs.emulated(), 4_000_000, () -> 5_000_000),
                    PlanFollowerFixture.SETTINGS,
                    new FakeContainers(),
                    new FakeCoordinator(),
                    journal,
                    new TrainingHistory(TrainingMode.SYNCHRONOUS),
                    endings::add));
            loop.ask(() -> true, Duration.ofSeconds(10));
        }

        assertThat(faults).isEmpty();
        assertThat(endings).isEmpty();
        List<Map<String, Object>> warnings = journal.of("warning");
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).containsEntry("message", "a checkpoint is damaged");
    }
}
