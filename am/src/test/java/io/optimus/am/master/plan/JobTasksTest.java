package io.optimus.am.master.plan;

import static io.optimus.am.master.plan.PlanFollowerFixture.WORKER_A;
import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public class JobTasksTest {
    private final JobTasks tasks = new JobTasks(1, () -> 0);
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final JobTask task = tasks.add(PlanFollowerFixture.container("container_1", WORKER_A));

    @Test
    public void aTaskStartsIsReadyAndThenAMember() {
        assertThat(view().state()).isEqualTo("starting");

        coordinator.ready.add(worker(0));
        task.enter(JobTask.Phase.READY);

        assertThat(view().state()).isEqualTo("ready");
        assertThat(view().member()).isFalse();

        coordinator.members.add(worker(0));

        assertThat(view()).isEqualTo(new TaskView(worker(0), task.container(), "member", 0));
    }

    @Test
    public void aTaskThatStepsAndLeavesIsNoMember() {
        task.enter(JobTask.Phase.READY);
        coordinator.members.add(worker(0));
        task.enter(JobTask.Phase.LEAVING);

        assertThat(view().state()).isEqualTo("leaving");
        assertThat(view().member()).isFalse();
    }

    private TaskView view() {
        List<TaskView> views = tasks.views(coordinator.status());
        assertThat(views).hasSize(1);
        return views.get(0);
    }
}
