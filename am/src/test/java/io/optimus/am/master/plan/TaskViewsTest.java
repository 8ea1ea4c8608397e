package io.optimus.am.master.plan;

import static io.optimus.am.wire.TaskId.worker;
import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Role;
import org.junit.Test;

public class TaskViewsTest {
    private final JobTasks tasks = new JobTasks(1);
    private final FakeCoordinator coordinator = new FakeCoordinator();
    private final TaskViews crew = new TaskViews(tasks, coordinator, grant -> "log of " + grant.container());
    private final JobTask task = tasks.add(new TaskContainer("container_1", "a:1", "a:8042", Role.WORKER), 0);

    @Test
    public void aTaskStartsIsReadyAndThenAMember() {
        assertThat(view().state()).isEqualTo("starting");

        coordinator.ready.add(worker(0));
        task.enter(JobTask.Phase.READY, 1);
        assertThat(view().state()).isEqualTo("ready");
        assertThat(view().member()).isFalse();

        coordinator.members.add(worker(0));
        assertThat(view()).isEqualTo(new TaskView(worker(0), "a:1", "container_1", "member", 0, "log of container_1"));
    }

    @Test
    public void whoStepsButLeavesIsNoMember() {
        task.enter(JobTask.Phase.READY, 1);
        coordinator.members.add(worker(0));
        task.enter(JobTask.Phase.LEAVING, 2);

        assertThat(view().state()).isEqualTo("leaving");
        assertThat(view().member()).isFalse();
    }

    @Test
    public void aTaskRunsWhileItIsConnectedAndItsContainerHeld() {
        assertThat(crew.runs(worker(0))).as("not connected yet").isFalse();

        coordinator.ready.add(worker(0));
        assertThat(crew.runs(worker(0))).isTrue();

        tasks.remove("container_1");
        assertThat(crew.runs(worker(0))).as("its container has ended").isFalse();
    }

    private TaskView view() {
        assertThat(crew.views()).hasSize(1);
        return crew.views().get(0);
    }
}
