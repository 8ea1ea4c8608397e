package io.optimus.yarn;

import io.optimus.model.plan.Strategies;
import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.enforce.AllocateAsks;
import io.optimus.yarn.enforce.Ceiling;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.enforce.GrantCeilings;
import io.optimus.yarn.enforce.SchedulerEnforcement;
import io.optimus.yarn.enforce.ShrinkEvents;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.ReportSummary;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.read.ClusterReader;
import io.optimus.yarn.read.ContainerLimits;
import io.optimus.yarn.read.NodeGpuTypes;
import io.optimus.yarn.read.ResourceManagerApplications;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTimer;
import io.optimus.yarn.round.RoundTrigger;
import io.optimus.yarn.service.Directives;
import io.optimus.yarn.service.RefusingService;
import io.optimus.yarn.service.TrainingServer;
import io.optimus.yarn.service.TrainingService;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that is beside CapacityScheduler, put together: the jobs' door and the rounds while the scheduler is active. Before
 * it starts and after it stops, what happens is noted or ignored.
 *
 * <p>In mode {@code off} nothing is started. On a cluster whose configuration training jobs cannot be scheduled on, the
 * door is open and every job is refused with the reason; ordinary applications do not notice.
 */
final class TrainingScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingScheduler.class);

    /** Any: after a failover the same input shall give the same plan. */
    private static final long STRATEGY_SEED = 1;

    private final CapacityScheduler scheduler;
    private final OptimusConfiguration configuration;
    private final GrantCeilings ceilings;
    private final Applications applications;
    private final NodeGpuTypes gpus;
    private final JobRegistry registry;
    private final RoundTimer wakeup = new RoundTimer();
    private final ControlLoop.State state;
    private volatile Running running = Running.NOTHING;

    /** Of a scheduler that is being initialised. */
    TrainingScheduler(CapacityScheduler scheduler, OptimusConfiguration configuration) {
        this.scheduler = scheduler;
        this.configuration = configuration;
        this.ceilings = new GrantCeilings(scheduler);
        this.applications = new ResourceManagerApplications(scheduler::getRMContext);
        this.gpus = new NodeGpuTypes(scheduler, configuration.policies().gpuTypes());
        this.registry = new JobRegistry(configuration.jobLimits(), gpus);
        this.state = ControlLoop.State.of(registry, wakeup);
    }

    /**
     * What is there while the scheduler is active.
     *
     * @param problems why training jobs are not served; empty where they are
     */
    private record Running(
            Optional<ControlLoop> rounds,
            Optional<TrainingServer> server,
            Optional<OptimusMetrics> metrics,
            List<String> problems) {
        static final Running NOTHING = new Running(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

        Running with(TrainingServer open) {
            return new Running(rounds, Optional.of(open), metrics, problems);
        }
    }

    /**
     * Opens the door and starts the rounds.
     *
     * @throws IOException where the address that the administrator chose cannot be listened at; where nobody chose one,
     *     training jobs are not served, and the log and REST say why
     */
    void start(Configuration yarn) throws IOException {
        if (configuration.mode() == SchedulerMode.OFF) {
            LOG.info("training service not started mode=off");
            return;
        }
        List<String> problems = OptimusConfiguration.problemsOfYarn(yarn);
        problems.forEach(problem -> LOG.warn("training jobs are refused problem={}", problem));
        running = problems.isEmpty() ? rounds() : unserved(problems);
        try {
            open(yarn, problems.isEmpty() ? service() : new RefusingService(problems));
        } catch (IOException e) {
            stop();
            if (TrainingAddress.isChosen(yarn)) {
                throw e;
            }
            String problem = String.valueOf(e.getMessage());
            LOG.error("training jobs are not served until this scheduler starts anew problem={}", problem);
            running = unserved(List.of(problem));
        }
    }

    private Running rounds() {
        OptimusMetrics metrics = OptimusMetrics.register();
        ControlLoop rounds = ControlLoop.start(configuration, state, surroundings(), metrics);
        return new Running(Optional.of(rounds), Optional.empty(), Optional.of(metrics), List.of());
    }

    private static Running unserved(List<String> problems) {
        return new Running(Optional.empty(), Optional.empty(), Optional.empty(), problems);
    }

    private void open(Configuration yarn, TrainingProtocol protocol) throws IOException {
        TrainingServer server = TrainingServer.start(
                yarn,
                protocol,
                scheduler.getRMContext().getAMRMTokenSecretManager(),
                configuration.service().rpcHandlers());
        running = running.with(server);
        LOG.info(
                "training service started address={} mode={}",
                server.address(),
                configuration.mode().word());
    }

    void stop() {
        Running ending = running;
        running = Running.NOTHING;
        ending.server().ifPresent(TrainingServer::close);
        ending.rounds().ifPresent(ControlLoop::close);
        ending.metrics().ifPresent(OptimusMetrics::close);
    }

    /** Only notes what happened; never throws, whenever it is called. */
    void happened(SchedulerEvent event) {
        try {
            if (event instanceof NodeUpdateSchedulerEvent update) {
                ceilings.afterNodeUpdate(update.getRMNode().getNodeID());
            } else if (event instanceof AppRemovedSchedulerEvent removed) {
                registry.remove(removed.getApplicationID());
                ceilings.remove(removed.getApplicationID());
            }
            RoundTrigger.of(event).ifPresent(wakeup::signal);
        } catch (RuntimeException | LinkageError e) {
            // The scheduler's thread: a Hadoop that knows other events must not end the ResourceManager here.
            LOG.warn("event not noted type={}", event.getType(), e);
        }
    }

    AllocateAsks trim(ApplicationAttemptId attempt, AllocateAsks asks, List<ContainerId> releases) {
        return ceilings.trim(attempt, asks, releases);
    }

    boolean governs(ApplicationId application) {
        return ceilings.governs(application);
    }

    /** A container of {@code application} ended. */
    void released(ApplicationId application) {
        if (registry.contains(application)) {
            wakeup.released();
        }
    }

    /** Queues were read anew; who may call is read anew with them, as YARN refreshes only its own servers' ACLs. */
    void refresh(Configuration yarn) {
        running.server().ifPresent(server -> server.refreshAcl(yarn));
        queuesChanged();
    }

    void queuesChanged() {
        wakeup.signal(RoundTrigger.QUEUES);
    }

    SchedulerOverview overview() {
        Running now = running;
        return new SchedulerOverview(
                configuration,
                now.server().map(TrainingServer::address),
                now.problems(),
                registry,
                state.estimates(),
                state.board(),
                state.log());
    }

    private boolean enforces() {
        return configuration.mode() == SchedulerMode.ENFORCE;
    }

    private ControlLoop.Surroundings surroundings() {
        return new ControlLoop.Surroundings(
                applications,
                new ClusterReader(scheduler, gpus)::read,
                enforces() ? new SchedulerEnforcement(ceilings, new ShrinkEvents(scheduler)) : Enforcement.NONE,
                name -> Strategies.named(name).bySeed().apply(STRATEGY_SEED),
                // Not the ResourceManager's own start: one JVM may become active several times.
                System.currentTimeMillis());
    }

    private TrainingService service() {
        return new TrainingService(
                configuration.mode(),
                configuration.service().reportIntervalMillis(),
                applications,
                new ContainerLimits(scheduler),
                registry,
                new Directives(state.board(), this::resourceName, ControlLoop::clock),
                new Ears());
    }

    /** Resource requests name nodes with or without their port, as the cluster is set up. */
    private String resourceName(String node) {
        NodeId id = NodeId.fromString(node);
        FiCaSchedulerNode known = scheduler.getNode(id);
        return known == null ? id.getHost() : known.getNodeName();
    }

    /** What jobs bring may call for a round. */
    private final class Ears implements TrainingService.Listener {
        @Override
        public void registered(ApplicationId application, long plan) {
            running.rounds().ifPresent(rounds -> rounds.numbersAbove(plan));
            if (enforces() && !governs(application)) {
                ceilings.put(application, Ceiling.NOTHING);
            }
            wakeup.signal(RoundTrigger.ARRIVAL);
        }

        @Override
        public void reported(ApplicationId application, ReportSummary news) {
            running.metrics().ifPresent(metrics -> {
                metrics.resized(news.resizes());
                metrics.refused(news.refused());
            });
            if (news.newSize()) {
                wakeup.signal(RoundTrigger.SPEED_MEASURED);
            }
        }

        @Override
        public void finished(ApplicationId application) {
            wakeup.signal(RoundTrigger.COMPLETION);
        }
    }
}
