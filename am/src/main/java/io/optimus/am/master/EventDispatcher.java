package io.optimus.am.master;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.master.plan.PlanFollower;
import io.optimus.am.master.scheduler.SchedulerLink;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TaskId;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns calls of other threads into events of the owner thread. */
final class EventDispatcher implements Containers.Listener, CoordinatorListener, SchedulerLink.Job {
    /** The owner thread never waits for anything: it answers within milliseconds. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private final EventLoop loop;
    private final Consumer<AttemptOutcome> ending;
    private @Nullable JobController job;
    /** What happened before there was a receiver, such as a checkpoint that could not be read. */
    private final List<Consumer<JobController>> early = new ArrayList<>();

    EventDispatcher(EventLoop loop, Consumer<AttemptOutcome> ending) {
        this.loop = loop;
        this.ending = ending;
    }

    /** Names the receiver of all events; it also gets those that came before. */
    void dispatchTo(JobController receiver) {
        loop.post(() -> {
            job = receiver;
            early.forEach(event -> event.accept(receiver));
            early.clear();
        });
    }

    private JobController job() {
        return Objects.requireNonNull(job, "dispatchTo must be called first");
    }

    private void post(Consumer<JobController> event) {
        loop.post(() -> {
            JobController receiver = job;
            if (receiver == null) {
                early.add(event);
            } else {
                event.accept(receiver);
            }
        });
    }

    private void postToFollower(Consumer<PlanFollower> event) {
        post(receiver -> event.accept(receiver.follower()));
    }

    // YARN

    @Override
    public void allocated(List<TaskContainer> containers) {
        postToFollower(follower -> follower.allocated(containers));
    }

    @Override
    public void runEarlier(List<TaskContainer> earlier) {
        post(controller -> controller.earlier().run(earlier));
    }

    @Override
    public void launchFailed(String container, String why) {
        postToFollower(follower -> follower.launchFailed(container, why));
    }

    @Override
    public void exited(List<ContainerExit> exits) {
        post(controller -> controller.exited(exits));
    }

    @Override
    public void preemptionRequested(List<String> containers) {
        postToFollower(follower -> follower.preemptionRequested(containers));
    }

    @Override
    public void answered() {
        post(JobController::yarnAnswers);
    }

    @Override
    public void shutDownRequested(String why) {
        ending.accept(new AttemptOutcome.Abandoned(why));
    }

    @Override
    public void yarnRefused(String why) {
        post(controller -> controller.warned(why));
    }

    @Override
    public void yarnFailed(String why) {
        ending.accept(new AttemptOutcome.Failed(why));
    }

    // Training

    @Override
    public void taskReady(TaskId task) {
        postToFollower(PlanFollower::reconcile);
    }

    @Override
    public void taskReachable(TaskId task, ServerAddress at) {
        post(controller -> controller.taskReachable(task, at));
    }

    @Override
    public void goesOn(long step, boolean inMemory, int tasks) {
        post(controller -> controller.goesOn(step, inMemory, tasks));
    }

    @Override
    public void commandsGoOn(int tasks) {
        post(controller -> controller.commandsGoOn(tasks));
    }

    @Override
    public void taskReleased(TaskId task) {
        postToFollower(follower -> follower.left(task));
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        postToFollower(follower -> follower.fellSilent(task, reason));
    }

    @Override
    public void modelLoaded(long parameters, Optimizer optimizer) {
        post(controller -> controller.modelLoaded(parameters, optimizer));
    }

    @Override
    public void loss(LossPoint point) {
        post(controller -> controller.loss(point));
    }

    @Override
    public void reported(ProgramReport report) {
        post(controller -> controller.reported(report));
    }

    @Override
    public void speed(SpeedSample sample) {
        post(controller -> controller.speed(sample));
    }

    @Override
    public void stepTimes(ThroughputObservation means) {
        post(controller -> controller.stepTimes(means));
    }

    @Override
    public void batchChanged(int before, CurrentBatch now) {
        post(controller -> controller.batchChanged(before, now));
    }

    @Override
    public void resized(Resize resize) {
        post(controller -> controller.resized(resize));
    }

    @Override
    public void steppedBack(long fromStep, long toStep) {
        post(controller -> controller.steppedBack(fromStep, toStep));
    }

    @Override
    public void checkpointed(long step) {
        post(controller -> controller.checkpointed(step));
    }

    @Override
    public void warned(String message) {
        post(controller -> controller.warned(message));
    }

    @Override
    public void finished(TrainingResult result) {
        post(controller -> controller.trained(result));
    }

    @Override
    public void failed(String reason) {
        post(controller -> controller.trainingFailed(reason));
    }

    // Scheduler

    @Override
    public RegisterJobRequestProto registration() {
        return loop.ask(() -> job().registration(), ANSWER_TIMEOUT);
    }

    @Override
    public Optional<ReportRequestProto> report() {
        return loop.ask(() -> job().report(), ANSWER_TIMEOUT);
    }

    @Override
    public void shownAt(String page) {
        post(controller -> controller.shownAt(page));
    }

    @Override
    public void answered(SchedulerLink.Reply reply) {
        post(controller -> controller.answered(reply));
    }

    @Override
    public void unreachable(String why) {
        post(controller -> controller.schedulerUnreachable(why));
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
