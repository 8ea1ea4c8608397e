package io.optimus.yarn;

import io.optimus.model.plan.Strategies;
import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.enforce.Ceiling;
import io.optimus.yarn.enforce.Enforcement;
import io.optimus.yarn.enforce.GrantCeilings;
import io.optimus.yarn.enforce.SchedulerEnforcement;
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
 * Everything that OptimusScheduler adds to CapacityScheduler: the training service and the rounds, while the scheduler is
 * active. Before it starts and after it stops, events are noted or ignored.
 *
 * <p>In mode {@code off} nothing is started. If YARN's configuration rules out training jobs, the service refuses every
 * job with the reason; ordinary applications are not affected.
 */
final class TrainingScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingScheduler.class);

    /** An arbitrary constant, so that the same input gives the same plan after a failover. */
    private static final long STRATEGY_SEED = 1;

    private final CapacityScheduler scheduler;
    private final OptimusConfiguration configuration;
    private final GrantCeilings ceilings;
    private final Applications applications;
    private final NodeGpuTypes gpus;
    private final JobRegistry registry;
    private final RoundTimer timer = new RoundTimer();
    private final ControlLoop.State state;
    private volatile Running running = Running.NOTHING;

    /** Adds training to {@code scheduler}, which is being initialised. */
    TrainingScheduler(CapacityScheduler scheduler, OptimusConfiguration configuration) {
        this.scheduler = scheduler;
        this.configuration = configuration;
        this.ceilings = new GrantCeilings(scheduler);
        this.applications = new ResourceManagerApplications(scheduler::getRMContext);
        this.gpus = new NodeGpuTypes(scheduler, configuration.policies().gpuTypes());
        this.registry = new JobRegistry(configuration.jobLimits(), gpus);
        this.state = ControlLoop.State.of(registry, timer);
    }

    /**
     * The parts that exist while the scheduler is active.
     *
     * @param loop runs the rounds
     * @param server answers the jobs
     * @param metrics counts rounds and resizes
     * @param problems why training jobs are not served; empty if they are
     */
    private record Running(
            Optional<ControlLoop> loop,
            Optional<TrainingServer> server,
            Optional<OptimusMetrics> metrics,
            List<String> problems) {
        static final Running NOTHING = new Running(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

        Running with(TrainingServer open) {
            return new Running(loop, Optional.of(open), metrics, problems);
        }
    }

    /**
     * Starts the training service and the rounds.
     *
     * @throws IOException if the service cannot listen at an address that the administrator chose. If none was chosen,
     *     the scheduler starts without serving training jobs, and the log and REST say why
     */
    void start(Configuration yarn) throws IOException {
        if (configuration.mode() == SchedulerMode.OFF) {
            LOG.info("training service not started mode=off");
            return;
        }
        warnOfUnknownQueues();
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

    /** Only warns: queues may be added later, and YARN itself may create them. */
    private void warnOfUnknownQueues() {
        for (String path : configuration.policies().byQueue().keySet()) {
            if (scheduler.getQueue(path) == null) {
                LOG.warn(
                        "policy is set for an unknown queue queue={} key={}{}.policy",
                        path,
                        OptimusConfiguration.QUEUE_PREFIX,
                        path);
            }
        }
    }

    private Running rounds() {
        OptimusMetrics metrics = OptimusMetrics.register();
        ControlLoop loop = ControlLoop.start(configuration, state, surroundings(), metrics);
        return new Running(Optional.of(loop), Optional.empty(), Optional.of(metrics), List.of());
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
        ending.loop().ifPresent(ControlLoop::close);
        ending.metrics().ifPresent(OptimusMetrics::close);
    }

    /** Handles a scheduler event. May be called at any time; never throws. */
    void happened(SchedulerEvent event) {
        try {
            if (event instanceof NodeUpdateSchedulerEvent update) {
                ceilings.afterNodeUpdate(update.getRMNode().getNodeID());
            } else if (event instanceof AppRemovedSchedulerEvent removed) {
                registry.remove(removed.getApplicationID());
                ceilings.remove(removed.getApplicationID());
            }
            RoundTrigger.of(event).ifPresent(timer::signal);
        } catch (RuntimeException | LinkageError e) {
            // This runs on the scheduler's thread: an event of another Hadoop version must not end the ResourceManager.
            LOG.warn("event ignored type={}", event.getType(), e);
        }
    }

    GrantCeilings.Asks trim(ApplicationAttemptId attempt, GrantCeilings.Asks asks, List<ContainerId> releases) {
        return ceilings.trim(attempt, asks, releases);
    }

    boolean governs(ApplicationId application) {
        return ceilings.governs(application);
    }

    void released(ApplicationId application) {
        if (registry.contains(application)) {
            timer.released();
        }
    }

    /** Called when queues were refreshed. Refreshes the training service's ACL, since YARN refreshes only its own. */
    void refresh(Configuration yarn) {
        running.server().ifPresent(server -> server.refreshAcl(yarn));
        queuesChanged();
    }

    void queuesChanged() {
        timer.signal(RoundTrigger.QUEUES);
    }

    SchedulerOverview overview() {
        Running now = running;
        return new SchedulerOverview(configuration, now.server().map(TrainingServer::address), now.problems(), state);
    }

    private boolean enforces() {
        return configuration.mode() == SchedulerMode.ENFORCE;
    }

    private ControlLoop.Surroundings surroundings() {
        return new ControlLoop.Surroundings(
                applications,
                new ClusterReader(scheduler, gpus)::read,
                enforces() ? new SchedulerEnforcement(scheduler, ceilings) : Enforcement.NONE,
                name -> Strategies.named(name).bySeed().apply(STRATEGY_SEED),
                ControlLoop::clock,
                System::currentTimeMillis);
    }

    private TrainingService service() {
        return new TrainingService(
                configuration.mode(),
                configuration.service().reportIntervalMillis(),
                applications,
                new ContainerLimits(scheduler),
                registry,
                new Directives(state.plan(), this::resourceName, ControlLoop::clock),
                new JobEvents());
    }

    /** The name of a node in resource requests: with or without its port, as the cluster is configured. */
    private String resourceName(String node) {
        NodeId id = NodeId.fromString(node);
        FiCaSchedulerNode known = scheduler.getNode(id);
        return known == null ? id.getHost() : known.getNodeName();
    }

    /** Asks for rounds when jobs register, report or end. */
    private final class JobEvents implements TrainingService.Listener {
        @Override
        public void registered(ApplicationId application, long plan) {
            running.loop().ifPresent(loop -> loop.numbersAbove(plan));
            if (enforces() && !governs(application)) {
                ceilings.put(application, Ceiling.NOTHING);
            }
            timer.signal(RoundTrigger.ARRIVAL);
        }

        @Override
        public void reported(ApplicationId application, ReportSummary summary) {
            running.metrics().ifPresent(metrics -> {
                metrics.resized(summary.resizes());
                metrics.refused(summary.refused());
            });
            if (summary.newSize()) {
                timer.signal(RoundTrigger.SPEED_MEASURED);
            }
        }

        @Override
        public void finished(ApplicationId application) {
            timer.signal(RoundTrigger.COMPLETION);
        }
    }
}
