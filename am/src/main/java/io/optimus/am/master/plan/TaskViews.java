package io.optimus.am.master.plan;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorStatus.TaskStatus;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.TaskId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Who works for the job: the containers that it holds, beside what the training knows of the processes in them. Only who
 * stays by the plan and steps in the training is a member.
 *
 * <p>Belongs to the owner thread.
 */
public final class TaskViews {
    private final JobTasks tasks;
    private final Coordinator coordinator;
    private final Function<TaskContainer, String> logUrl;

    /**
     * The crew of a job.
     *
     * @param logUrl where the log of what runs in a container is to be read; may be empty
     */
    public TaskViews(JobTasks tasks, Coordinator coordinator, Function<TaskContainer, String> logUrl) {
        this.tasks = tasks;
        this.coordinator = coordinator;
        this.logUrl = logUrl;
    }

    /** All that hold a container, oldest first. */
    public List<TaskView> views() {
        Map<TaskId, TaskStatus> connected = coordinator.status().tasks();
        return tasks.all().map(task -> view(task, connected)).toList();
    }

    /** Whether the process of {@code task} is connected and its container held. */
    public boolean runs(TaskId task) {
        return coordinator.status().tasks().containsKey(task)
                && tasks.named(task).isPresent();
    }

    private TaskView view(JobTask task, Map<TaskId, TaskStatus> connected) {
        TaskStatus status = connected.get(task.id());
        boolean member = status != null && status.member() && task.phase() == JobTask.Phase.READY;
        double rate = status != null && member ? status.stepsPerSecond() : 0;
        String state = member ? "member" : task.phase().name().toLowerCase(Locale.ROOT);
        return new TaskView(
                task.id(), task.grant().node(), task.grant().container(), state, rate, logUrl.apply(task.grant()));
    }
}
