package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.StoreOutage;
import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.ElasticCoordinator;
import io.optimus.am.coordinator.TrainingEventHandler;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.coordinator.TrainingSettings;
import io.optimus.am.coordinator.command.CommandEventHandler;
import io.optimus.am.coordinator.command.CommandSettings;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.FileJournal;
import io.optimus.am.master.journal.Journal;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.page.TrackingPage;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.scheduler.RpcSchedulerCalls;
import io.optimus.am.master.scheduler.SchedulerLink;
import io.optimus.am.master.yarn.ProxyFilter;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.master.yarn.TaskFiles;
import io.optimus.am.master.yarn.TaskLaunch;
import io.optimus.am.master.yarn.YarnContainers;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TakeOver.Successor;
import io.optimus.model.Role;
import io.optimus.model.convergence.StopRule;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process that YARN starts for a training job: it starts the parts of the ApplicationMaster, waits for the outcome,
 * and ends the parts in the right order.
 */
public final class ApplicationMaster {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMaster.class);

    /** Interval between checks of time-outs and of connected tasks, apart from events. */
    private static final Duration TICK = Duration.ofMillis(250);

    /** The owner thread never waits, so it answers the page at once. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    /** YARN's client looks up hosts when requests are withdrawn, which may take long. The job's result waits for that. */
    private static final Duration END_TIMEOUT = Duration.ofMinutes(5);

    /** A scheduler that does not answer must not keep a job from ending. */
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(5);

    /** YARN confirms released containers with the next heartbeats. */
    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

    /** YARN kills a process that ends slowly; by default it waits only a quarter of a second. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    /** A command that got SIGKILL has ended by then, and its task too. */
    private static final Duration COMMAND_ENDS = Duration.ofSeconds(10);

    private final Configuration configuration;
    private final MasterEnvironment environment;
    private final CompletableFuture<AttemptOutcome> outcome;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private ApplicationMaster(
            Configuration configuration, MasterEnvironment environment, CompletableFuture<AttemptOutcome> outcome) {
        this.configuration = configuration;
        this.environment = environment;
        this.outcome = outcome;
    }

    /**
     * Runs the job that the environment names. Exits with 0 if the application has ended and YARN knows the outcome;
     * otherwise with 1, and YARN may start another attempt.
     */
    public static void main(String[] arguments) {
        CompletableFuture<AttemptOutcome> outcome = new CompletableFuture<>();
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endWhenKilled(outcome, done), "end-when-killed"));
        int status = run(outcome);
        done.countDown();
        System.exit(status);
    }

    private static int run(CompletableFuture<AttemptOutcome> outcome) {
        try {
            MasterEnvironment environment = MasterEnvironment.of(System.getenv());
            AttemptOutcome end = new ApplicationMaster(configuration(), environment, outcome).run();
            return end.endsApplication() ? 0 : 1;
        } catch (IOException | YarnException | RuntimeException e) {
            LOG.error("The ApplicationMaster cannot go on", e);
            return 1;
        }
    }

    /** With the lease of a file of HDFS given back where closing it fails, so that the journal can be continued. */
    private static Configuration configuration() {
        Configuration configuration = new YarnConfiguration();
        configuration.setBoolean("dfs.client.write.recover.lease.on.close.exception", true);
        return configuration;
    }

    private static void endWhenKilled(CompletableFuture<AttemptOutcome> outcome, CountDownLatch done) {
        outcome.complete(new AttemptOutcome.Killed("killed: the ApplicationMaster was told to end"));
        try {
            if (!done.await(KILL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Some parts have not ended within {} s", KILL_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the job to its end; all started parts have ended when this returns. */
    private AttemptOutcome run() throws IOException, YarnException {
        try {
            Parts parts = start();
            AttemptOutcome end = outcome.join();
            LOG.info("outcome={} diagnostics=\"{}\"", end.getClass().getSimpleName(), end.diagnostics());
            return finish(parts, end);
        } finally {
            closeStarted();
        }
    }

    private Parts start() throws IOException, YarnException {
        int attempt = environment.attempt().getAttemptId();
        MasterSettings settings = MasterSettings.read(configuration);
        JobFiles files = new JobFiles(configuration, environment.directory(), settings.storeTimeout());
        JobSpec spec = files.spec();
        JobIdentity identity = new JobIdentity(
                environment.applicationId(),
                attempt,
                environment.user(),
                spec,
                environment.submittedMillis(),
                System::currentTimeMillis);
        PortRange ports = settings.ports();
        EventLoop loop = closeLater(new EventLoop(
                fault -> outcome.complete(new AttemptOutcome.Failed("A fault in the ApplicationMaster: " + fault))));
        EventDispatcher dispatcher = new EventDispatcher(loop, outcome::complete);
        Journal journal =
                closeLater(new FileJournal(files.fileSystem(), files.journal(attempt), System::currentTimeMillis));
        Coordinator coordinator = closeLater(coordinator(identity, files, settings, dispatcher));
        coordinator.start();
        YarnContainers containers = closeLater(containers(spec, ports, coordinator, dispatcher));
        JobController job = new JobController(
                identity,
                settings.withLeave(spec.command()
                        .map(commands ->
                                Duration.ofSeconds(commands.graceSeconds()).plus(COMMAND_ENDS))
                        .orElse(Duration.ZERO)),
                containers,
                coordinator,
                journal,
                files.historyBefore(spec.mode(), attempt, firstStep(spec, attempt, coordinator)),
                outcome::complete);
        Optional<TrainingResult> trained = files.resultBefore(attempt);
        trained.ifPresent(result -> loop.post(() -> job.trained(result)));
        dispatcher.dispatchTo(job);
        Supplier<StatusView> status = () -> loop.ask(job::status, ANSWER_TIMEOUT);
        JobMetrics metrics = closeLater(JobMetrics.start(configuration, status));
        TrackingPage page = closeLater(
                new TrackingPage(ports, ProxyFilter.of(configuration, System.getenv()), status, metrics.text()));
        Map<String, ServerAddress> known = files.tasksBefore(attempt);
        List<TaskContainer> running =
                containers.register(environment.host(), "http://" + environment.host() + ":" + page.port() + "/");
        Map<Role, Long> memoryMb = files.memoryBefore(attempt);
        loop.post(() -> job.startsWith(memoryMb));
        RpcSchedulerCalls calls = closeLater(new RpcSchedulerCalls(configuration));
        SchedulerLink link = closeLater(new SchedulerLink(calls, dispatcher, SchedulerLink.RETRY));
        Runnable connect = () -> {
            link.start();
            loop.after(settings.schedulerTimeout(), job::waitedForScheduler);
        };
        if (trained.isPresent()) {
            LOG.info("An earlier attempt has trained the model; what is left is to deliver it and to tell YARN");
        } else if (attempt == 1) {
            connect.run();
        } else {
            Successor self = new Successor(attempt, environment.host(), coordinator.port());
            loop.post(() -> {
                job.earlier().run(running);
                job.earlier().takeOver(known, self, connect);
            });
        }
        loop.every(TICK, job::tick);
        return new Parts(loop, files, journal, containers, job, link, settings.storeTimeout());
    }

    /**
     * The step that training goes on with. Commands do not tell before they have read their checkpoint, and the tasks of an
     * earlier attempt not before they have come.
     */
    private static long firstStep(JobSpec spec, int attempt, Coordinator coordinator) {
        return spec.command().isPresent() || attempt > 1
                ? Long.MAX_VALUE
                : coordinator.status().progress().step();
    }

    private static Coordinator coordinator(
            JobIdentity identity, JobFiles files, MasterSettings master, CoordinatorListener listener)
            throws IOException {
        JobSpec spec = identity.spec();
        PortRange ports = master.ports();
        TrainingSettings.Timing timing = TrainingSettings.Timing.DEFAULT
                .withLimits(spec.stepTimeoutSeconds(), spec.evaluationTimeoutSeconds())
                .withPatience(master.tasks().alone(), master.storeTimeout());
        if (spec.command().isPresent()) {
            CommandSettings commands = new CommandSettings(
                    spec.command().get(),
                    identity.applicationId(),
                    identity.attempt(),
                    new CommandSettings.Sizes(identity.minimum(), identity.maximum()),
                    spec.stop(),
                    spec.targetAccuracy(),
                    timing);
            return new ElasticCoordinator(
                    files.secret(),
                    ports,
                    commands.welcome().awaitingSuccessor(),
                    (connected, events) -> new CommandEventHandler(commands, listener, connected));
        }
        TrainingSettings settings = new TrainingSettings(
                TrainingSettings.Steps.of(spec),
                spec.stop(),
                spec.targetAccuracy(),
                identity.minimum(),
                spec.checkpoint(),
                timing,
                TrainingSettings.Batches.of(spec.batch()));
        CheckpointStore store = files.checkpoints(spec.resumes());
        return new ElasticCoordinator(
                files.secret(),
                ports,
                settings.welcome().awaitingSuccessor(),
                (connected, events) ->
                        new TrainingEventHandler(settings, identity.attempt(), store, listener, connected, events));
    }

    private YarnContainers containers(
            JobSpec spec, PortRange ports, Coordinator coordinator, EventDispatcher dispatcher) throws IOException {
        TaskLaunch launch = new TaskLaunch(
                spec,
                environment.natives().forWorkers(),
                environment.host() + ":" + coordinator.port(),
                environment.ofTasks(ports));
        TaskFiles files = TaskFiles.of(
                configuration,
                environment.directory(),
                spec.workerFiles(),
                environment.natives().archive(),
                UserGroupInformation.getCurrentUser().getCredentials());
        return new YarnContainers(
                configuration,
                spec,
                launch,
                spec.command().isPresent() ? files.forAllRoles() : files,
                environment.user(),
                dispatcher,
                () -> progress(spec.stop(), coordinator.status()));
    }

    private AttemptOutcome finish(Parts parts, AttemptOutcome end) throws IOException, YarnException {
        StatusView last = parts.loop.ask(
                () -> {
                    parts.job.ended(end);
                    return parts.job.status();
                },
                END_TIMEOUT);
        if (!end.endsApplication()) {
            parts.journal.close();
            return end;
        }
        AttemptOutcome whole = deliver(parts, last, end);
        Optional<String> output =
                whole.succeeded() ? Optional.of(parts.files.folder(output(last)).toString()) : Optional.empty();
        parts.link.finish(finishRequest(last, whole, output), FINISH_TIMEOUT);
        awaitReleased(parts);
        parts.journal.close();
        parts.containers.unregister(
                whole.succeeded() ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED,
                whole.diagnostics(),
                last.schedulerPage().orElse(""));
        // This comes last, because another attempt needs the files if this process ends before YARN knows the outcome.
        deleteTemporary(parts, whole);
        return whole;
    }

    /** Delivers model and result. A job whose model cannot be saved has failed. */
    private AttemptOutcome deliver(Parts parts, StatusView last, AttemptOutcome end) {
        String output = output(last);
        String model = last.result().flatMap(TrainingResult::model).orElse("");
        try {
            byte[] result = ResultFile.write(last, end);
            return new StoreOutage(parts.storeTimeout)
                    .call(
                            () -> {
                                parts.files.deliver(
                                        output, model, JobFile.print(last.job().spec()), result);
                                return end;
                            },
                            what -> LOG.warn("The result could not be written to {}: {}", output, what));
        } catch (IOException e) {
            LOG.error("The result could not be written to {}", output, e);
            return new AttemptOutcome.Failed(
                    end.diagnostics() + "; and the result could not be written to " + output + ": " + e.getMessage());
        }
    }

    private static String output(StatusView view) {
        return view.job().spec().outputOf(view.job().applicationId());
    }

    private void awaitReleased(Parts parts) {
        long until = System.nanoTime() + RELEASE_TIMEOUT.toNanos();
        try {
            while (System.nanoTime() < until
                    && !parts.loop
                            .ask(() -> parts.job.follower().tasks(), ANSWER_TIMEOUT)
                            .isEmpty()) {
                // The owner thread gets the exits; this thread can only poll.
                Thread.sleep(TICK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CompletionException late) {
            LOG.warn("The job ends before YARN has confirmed the end of all containers: {}", late.toString());
        }
    }

    private void deleteTemporary(Parts parts, AttemptOutcome end) {
        try {
            parts.files.deleteTemporary(!end.succeeded());
        } catch (IOException e) {
            LOG.warn("Temporary files could not be deleted: {}", e.toString());
        }
    }

    private static FinishJobRequestProto finishRequest(StatusView last, AttemptOutcome end, Optional<String> output) {
        FinishJobRequestProto.Builder request = FinishJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setConverged(last.result().map(TrainingResult::converged).orElse(false))
                .setFinalStep(last.training().progress().step())
                .setFailed(!end.succeeded())
                .setDiagnostics(end.diagnostics());
        output.ifPresent(request::setOutput);
        last.result().ifPresent(result -> {
            result.finalLoss().ifPresent(request::setFinalLoss);
            if (result.epochs() > 0) {
                request.setFinalEpoch(result.epochs());
            }
            result.evaluation().ifPresent(held -> request.setAccuracy(held.accuracy()));
        });
        return request.build();
    }

    /** Part of the maximum of epochs that is done; unknown without a maximum, which YARN shows as 0. */
    private static float progress(StopRule stop, CoordinatorStatus status) {
        StopRule whole = status.program().map(program -> program.stop(stop)).orElse(stop);
        int epochs = whole.maxEpochs().orElse(0);
        return epochs == 0 ? 0 : (float) Math.min(1, status.progress().epoch() / epochs);
    }

    private <T extends AutoCloseable> T closeLater(T part) {
        started.push(part);
        return part;
    }

    /** Closes the started parts, last first. One that fails does not keep the others from closing. */
    private void closeStarted() {
        while (!started.isEmpty()) {
            AutoCloseable part = started.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close: {}", part.getClass().getSimpleName(), e.toString());
            }
        }
    }

    private record Parts(
            EventLoop loop,
            JobFiles files,
            Journal journal,
            YarnContainers containers,
            JobController job,
            SchedulerLink link,
            Duration storeTimeout) {}
}
