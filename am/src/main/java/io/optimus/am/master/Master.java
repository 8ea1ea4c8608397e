package io.optimus.am.master;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.FileJournal;
import io.optimus.am.master.journal.Journal;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.page.TrackingPage;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.scheduler.RpcSchedulerCalls;
import io.optimus.am.master.scheduler.SchedulerLink;
import io.optimus.am.master.yarn.NodeManagers;
import io.optimus.am.master.yarn.TaskFiles;
import io.optimus.am.master.yarn.TaskLaunch;
import io.optimus.am.master.yarn.YarnContainers;
import io.optimus.am.wire.PortRange;
import io.optimus.model.Role;
import io.optimus.model.convergence.StopRule;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts an ApplicationMaster together, runs it, and takes it apart in the right order. */
final class Master {
    private static final Logger LOG = LoggerFactory.getLogger(Master.class);
    /** How often time-outs are looked at and what connected is noticed, apart from events. */
    private static final Duration TICK = Duration.ofMillis(250);
    /** The page asks the owner thread, which never waits. */
    private static final Duration PAGE_PATIENCE = Duration.ofSeconds(5);
    /** A scheduler that is gone must not keep a job from ending. */
    private static final Duration GOODBYE = Duration.ofSeconds(5);
    /** Containers that were given back are confirmed with the next heartbeats. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final Configuration configuration;
    private final MasterEnvironment environment;
    private final CompletableFuture<AttemptOutcome> outcome;
    private final CoordinatorFactory coordinators;
    private final Closing closing = new Closing();

    /**
     * A master that has not begun.
     *
     * @param outcome ends the work when it is completed, from inside or outside
     */
    Master(
            Configuration configuration,
            MasterEnvironment environment,
            CoordinatorFactory coordinators,
            CompletableFuture<AttemptOutcome> outcome) {
        this.configuration = configuration;
        this.environment = environment;
        this.coordinators = coordinators;
        this.outcome = outcome;
    }

    /** Runs the job to its end, whichever that is; all that was begun has ended when this returns. */
    AttemptOutcome run() throws IOException, YarnException {
        try (closing) {
            Parts parts = start();
            AttemptOutcome end = outcome.join();
            LOG.info("outcome={} diagnostics=\"{}\"", end.getClass().getSimpleName(), end.diagnostics());
            return finish(parts, end);
        }
    }

    private Parts start() throws IOException, YarnException {
        int attempt = environment.attempt().getAttemptId();
        JobFiles files = new JobFiles(configuration, environment.directory());
        JobSpec spec = files.spec();
        JobIdentity identity = new JobIdentity(
                environment.applicationId(),
                attempt,
                environment.user(),
                spec,
                environment.submittedMillis(),
                System::currentTimeMillis);
        MasterSettings settings = MasterSettings.read(configuration);
        PortRange ports = settings.ports();
        EventLoop loop = closing.with(new EventLoop(
                fault -> outcome.complete(new AttemptOutcome.Failed("A fault in the ApplicationMaster: " + fault))));
        EventDispatcher mailbox = new EventDispatcher(loop, outcome::complete);
        Journal journal =
                closing.with(new FileJournal(files.fileSystem(), files.journal(attempt), System::currentTimeMillis));
        Coordinator coordinator =
                closing.with(coordinators.create(spec, attempt, files.secret(), files.checkpoints(), ports, mailbox));
        coordinator.start();
        YarnContainers containers = closing.with(
                new YarnContainers(configuration, taskResources(spec), mailbox, () -> progress(spec, coordinator)));
        NodeManagers nodes = closing.with(new NodeManagers(
                configuration,
                containers::container,
                environment.ofTasks(ports),
                taskLaunch(spec, coordinator),
                taskFiles(),
                mailbox));
        JobController job = new JobController(
                identity,
                containers,
                nodes,
                coordinator,
                journal,
                files.storyBefore(spec.mode(), attempt, coordinator.status().step()),
                settings,
                outcome::complete);
        mailbox.deliverTo(job);
        TrackingPage page = closing.with(new TrackingPage(ports, () -> loop.ask(job::status, PAGE_PATIENCE)));
        containers.register(environment.host(), -1, "http://" + environment.host() + ":" + page.port() + "/");
        SchedulerLink link = closing.with(
                new SchedulerLink(closing.with(new RpcSchedulerCalls(configuration)), mailbox, SchedulerLink.RETRY));
        link.start();
        loop.every(TICK, () -> job.follower().look());
        loop.after(settings.schedulerTimeout(), job::waitedForScheduler);
        return new Parts(loop, files, journal, containers, job, link, identity);
    }

    private AttemptOutcome finish(Parts parts, AttemptOutcome end) throws IOException, YarnException {
        StatusView last = parts.loop.ask(
                () -> {
                    parts.job.ended(end);
                    parts.job.end();
                    return parts.job.status();
                },
                PAGE_PATIENCE);
        if (end instanceof AttemptOutcome.Killed || end instanceof AttemptOutcome.Abandoned) {
            parts.journal.close();
            return end;
        }
        AttemptOutcome whole = deliver(parts, last, end);
        parts.link.finish(goodbye(last, whole), GOODBYE);
        awaitContainers(parts);
        parts.journal.close();
        boolean trained = whole instanceof AttemptOutcome.Trained;
        parts.containers.unregister(
                trained ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED, whole.diagnostics(), "");
        // Not before: should this process end first, another attempt needs its files to say what this one has said.
        deleteTemporary(parts, whole);
        return whole;
    }

    /** A model that cannot be saved is no success. */
    private AttemptOutcome deliver(Parts parts, StatusView last, AttemptOutcome end) {
        String output = parts.identity.spec().outputOf(parts.identity.applicationId());
        String model = last.result().flatMap(result -> result.model()).orElse("");
        try {
            parts.files.deliver(output, model, ResultFile.write(last, end));
            return end;
        } catch (IOException e) {
            LOG.error("The result could not be written to {}", output, e);
            return new AttemptOutcome.Failed(
                    end.diagnostics() + "; and the result could not be written to " + output + ": " + e.getMessage());
        }
    }

    private void awaitContainers(Parts parts) {
        long until = System.nanoTime() + FAREWELL.toNanos();
        try {
            while (System.nanoTime() < until
                    && parts.loop.ask(() -> parts.job.follower().tasks().all().count(), PAGE_PATIENCE) > 0) {
                // Their ends are told to the loop's thread; this one looks from outside, no longer than the farewell.
                Thread.sleep(TICK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteTemporary(Parts parts, AttemptOutcome end) {
        try {
            parts.files.deleteTemporary(!(end instanceof AttemptOutcome.Trained));
        } catch (IOException e) {
            LOG.warn("Temporary files could not be deleted: {}", e.toString());
        }
    }

    private static FinishJobRequestProto goodbye(StatusView last, AttemptOutcome end) {
        FinishJobRequestProto.Builder request = FinishJobRequestProto.newBuilder()
                .setVersion(TrainingProtocol.VERSION)
                .setConverged(last.result().map(result -> result.converged()).orElse(false))
                .setFinalStep(last.training().step())
                .setDiagnostics(end.diagnostics());
        last.result().ifPresent(result -> result.finalLoss().ifPresent(request::setFinalLoss));
        return request.build();
    }

    private TaskLaunch taskLaunch(JobSpec spec, Coordinator coordinator) {
        return new TaskLaunch(spec, environment.natives(), environment.host(), coordinator.port());
    }

    private TaskFiles taskFiles() throws IOException {
        return TaskFiles.of(
                configuration,
                environment.directory(),
                environment.nativesArchive(),
                environment.nativesFolder(),
                UserGroupInformation.getCurrentUser().getCredentials());
    }

    private static Map<Role, Resource> taskResources(JobSpec spec) {
        Map<Role, Resource> resources = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            Resource resource = Resource.newInstance(0, 0);
            spec.role(role).task().amounts().forEach(resource::setResourceValue);
            resources.put(role, resource);
        }
        return resources;
    }

    /** Epochs done of the most that there may be; unknown without such a rule, which YARN shows as 0. */
    private static float progress(JobSpec spec, Coordinator coordinator) {
        int epochs = mostEpochs(spec.stop());
        return epochs == 0 ? 0 : (float) Math.min(1, coordinator.status().epoch() / epochs);
    }

    private static int mostEpochs(StopRule rule) {
        if (rule instanceof StopRule.MaxEpochs most) {
            return most.epochs();
        }
        if (rule instanceof StopRule.FirstOf first) {
            return first.rules().stream()
                    .mapToInt(Master::mostEpochs)
                    .filter(epochs -> epochs > 0)
                    .min()
                    .orElse(0);
        }
        return 0;
    }

    private record Parts(
            EventLoop loop,
            JobFiles files,
            Journal journal,
            YarnContainers containers,
            JobController job,
            SchedulerLink link,
            JobIdentity identity) {}
}
