package io.optimus.am.master;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.master.scheduler.SchedulerLink;
import io.optimus.am.master.scheduler.SchedulerReply;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.master.yarn.TaskLauncher;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.TaskId;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns what other threads say into events of the owner thread. */
final class EventDispatcher
        implements Containers.Listener, TaskLauncher.Listener, CoordinatorListener, SchedulerLink.Job {
    /** The owner thread never waits for anything: a second is an age. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Consumer<AttemptOutcome> ending;
    private @Nullable JobController job;

    EventDispatcher(EventLoop loop, Consumer<AttemptOutcome> ending) {
        this.loop = loop;
        this.ending = ending;
    }

    /** Names the addressee, before anybody can say anything. */
    void deliverTo(JobController addressee) {
        job = addressee;
    }

    private JobController job() {
        return Objects.requireNonNull(job, "deliverTo comes first");
    }

    private void post(Runnable event) {
        loop.post(event);
    }

    @Override
    public void granted(List<TaskContainer> grants) {
        post(() -> job().follower().granted(grants));
    }

    @Override
    public void exited(List<ContainerExit> exits) {
        post(() -> job().follower().exited(exits));
    }

    @Override
    public void preempted(List<String> containers) {
        post(() -> job().follower().preempted(containers));
    }

    @Override
    public void abandoned(String why) {
        ending.accept(new AttemptOutcome.Abandoned(why));
    }

    @Override
    public void broken(String why) {
        ending.accept(new AttemptOutcome.Failed(why));
    }

    @Override
    public void launchFailed(String container, String why) {
        post(() -> job().follower().launchFailed(container, why));
    }

    @Override
    public void taskReady(TaskId task) {
        post(() -> job().follower().look());
    }

    @Override
    public void taskReleased(TaskId task) {
        post(() -> job().follower().left(task));
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        post(() -> job().follower().silent(task, reason));
    }

    @Override
    public void modelLoaded(long parameters) {
        post(() -> job().modelLoaded(parameters));
    }

    @Override
    public void loss(LossPoint point) {
        post(() -> job().loss(point));
    }

    @Override
    public void speed(SpeedSample sample) {
        post(() -> job().speed(sample));
    }

    @Override
    public void resized(Resize resize) {
        post(() -> job().resized(resize));
    }

    @Override
    public void steppedBack(long fromStep, long toStep) {
        post(() -> job().steppedBack(fromStep, toStep));
    }

    @Override
    public void checkpointed(long step) {
        post(() -> job().checkpointed(step));
    }

    @Override
    public void warned(String message) {
        post(() -> job().warned(message));
    }

    @Override
    public void finished(TrainingResult result) {
        post(() -> job().trained(result));
    }

    @Override
    public void failed(String reason) {
        post(() -> job().trainingFailed(reason));
    }

    @Override
    public RegisterJobRequestProto registration() {
        return loop.ask(() -> job().registration(), ANSWER);
    }

    @Override
    public ReportRequestProto report() {
        return loop.ask(() -> job().report(), ANSWER);
    }

    @Override
    public void answered(SchedulerReply reply) {
        post(() -> job().answered(reply));
    }

    @Override
    public void unreachable(String why) {
        post(() -> job().schedulerUnreachable(why));
    }

    @Override
    public void refused(String why) {
        ending.accept(new AttemptOutcome.Failed("The scheduler refused the job: " + why));
    }

    @Override
    public void replaced(String why) {
        ending.accept(new AttemptOutcome.Abandoned(why));
    }
}
