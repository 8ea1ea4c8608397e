package io.optimus.yarn;

import io.optimus.model.plan.Strategies;
import io.optimus.model.plan.Strategy;
import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.yarn.configuration.CapacityQueues;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.configuration.SiteFile;
import io.optimus.yarn.enforce.GrantCeilings;
import io.optimus.yarn.enforce.SchedulerEnforcement;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.metrics.GpuUse;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.operator.OrdersFile;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterReader;
import io.optimus.yarn.read.ContainerLimits;
import io.optimus.yarn.read.NodeGpuTypes;
import io.optimus.yarn.read.ResourceManagerApplications;
import io.optimus.yarn.read.SchedulerChanges;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTimer;
import io.optimus.yarn.service.Directives;
import io.optimus.yarn.service.RefusingService;
import io.optimus.yarn.service.TrainingServer;
import io.optimus.yarn.service.TrainingService;
import io.optimus.yarn.whatif.Foresight;
import io.optimus.yarn.whatif.WhatIfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.ConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that OptimusScheduler adds to CapacityScheduler: the training service and the rounds, while the scheduler is
 * active.
 *
 * <p>In mode {@code off} nothing is started. If YARN's configuration rules out training jobs, the service refuses every
 * job with the reason; ordinary applications are not affected.
 */
final class TrainingScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingScheduler.class);

    /** An arbitrary constant, so that the same input gives the same plan after a failover. */
    private static final long STRATEGY_SEED = 1;

    private final CapacityScheduler scheduler;
    private final GrantCeilings ceilings;
    private final Applications applications;
    private final NodeGpuTypes gpus;
    private final JobRegistry registry;
    private final ControlLoop.State state;
    private final SchedulerEvents events;
    private final WhatIfs.Surroundings forecasts;
    private final WhatIfs whatIfs;
    private volatile OptimusConfiguration configuration;
    /** YARN's configuration while the scheduler is active. */
    private Optional<Configuration> active = Optional.empty();

    private volatile Running running = Running.NOTHING;

    /** Adds training to {@code scheduler}, which is being initialised. */
    TrainingScheduler(CapacityScheduler scheduler, OptimusConfiguration configuration) {
        this.scheduler = scheduler;
        this.configuration = configuration;
        this.ceilings = new GrantCeilings(scheduler);
        this.applications = new ResourceManagerApplications(scheduler::getRMContext);
        this.gpus = new NodeGpuTypes(scheduler, () -> settings().policies().gpuTypes());
        this.registry = new JobRegistry(() -> settings().jobLimits(), gpus, Long.MAX_VALUE, ControlLoop::clock);
        this.state = ControlLoop.State.of(registry, new RoundTimer(() -> registry.size() > 0), () -> settings()
                .service()
                .historyJobs());
        this.events = new SchedulerEvents(scheduler, state, ceilings);
        this.forecasts = forecasts();
        this.whatIfs = new WhatIfs(forecasts);
    }

    /** Refreshes the queues of CapacityScheduler. */
    @FunctionalInterface
    interface QueueRefresh {
        void run() throws IOException;
    }

    /**
     * The parts that exist while the scheduler is active.
     *
     * @param loop runs the rounds
     * @param foresight forecasts the ends of jobs
     * @param server answers the jobs
     * @param metrics counts rounds and resizes
     * @param problems why training jobs are not served; empty if they are
     */
    private record Running(
            Optional<ControlLoop> loop,
            Optional<Foresight> foresight,
            Optional<TrainingServer> server,
            Optional<OptimusMetrics> metrics,
            List<String> problems) {
        static final Running NOTHING = unserved(List.of());

        static Running unserved(List<String> problems) {
            return new Running(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), problems);
        }

        List<String> problemsNow() {
            List<String> all = new ArrayList<>(problems);
            loop.flatMap(ControlLoop::problem).ifPresent(all::add);
            return all;
        }

        Running with(TrainingServer open) {
            return new Running(loop, foresight, Optional.of(open), metrics, problems);
        }
    }

    /**
     * Starts the training service and the rounds.
     *
     * @throws IOException if the service cannot listen at an address that the administrator chose. If none was chosen,
     *     the scheduler starts without serving training jobs, and the log and REST say why
     */
    synchronized void start(Configuration yarn) throws IOException {
        active = Optional.of(yarn);
        if (configuration.mode() == SchedulerMode.OFF) {
            LOG.info("training service not started mode=off");
            return;
        }
        warn();
        try {
            serve(yarn);
        } catch (IOException e) {
            active = Optional.empty();
            throw e;
        }
    }

    private void serve(Configuration yarn) throws IOException {
        // Not since the constructor: a standby ResourceManager makes its scheduler long before it becomes active.
        registry.seesJobsFrom(System.currentTimeMillis());
        ceilings.enforce(enforces());
        state.orders().keepIn(configuration.ordersFile().map(file -> new OrdersFile(file, yarn)));
        List<String> problems = OptimusConfiguration.problemsOfYarn(yarn);
        problems.forEach(problem -> LOG.warn("training jobs are refused problem={}", problem));
        running = problems.isEmpty() ? rounds() : Running.unserved(problems);
        try {
            open(yarn, problems.isEmpty() ? service() : new RefusingService(problems));
        } catch (IOException e) {
            end();
            if (TrainingAddress.isChosen(yarn)) {
                throw e;
            }
            String problem = String.valueOf(e.getMessage());
            LOG.error("training jobs are not served until queues are refreshed problem={}", problem);
            running = Running.unserved(List.of(problem));
        }
    }

    private void warn() {
        SettingWarnings.of(scheduler, configuration).forEach(LOG::warn);
    }

    private Running rounds() {
        OptimusMetrics metrics = OptimusMetrics.register(() -> GpuUse.of(scheduler, registry.views()));
        events.readAfresh();
        ControlLoop loop = ControlLoop.start(this::settings, state, surroundings(), metrics);
        Foresight foresight = new Foresight(forecasts);
        foresight.start();
        return new Running(
                Optional.of(loop), Optional.of(foresight), Optional.empty(), Optional.of(metrics), List.of());
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

    synchronized void stop() {
        active = Optional.empty();
        end();
    }

    /**
     * Forgets all jobs, plans and ceilings of a scheduler that has stopped: Hadoop's metrics of queues keep a stopped scheduler
     * in memory.
     */
    synchronized void forget() {
        forgetJobs();
        ceilings.enforce(false);
    }

    private void forgetJobs() {
        registry.clear();
        state.beliefs().clear();
        state.trails().clear();
        state.past().clear();
        state.plan().publish(PublishedPlan.NONE);
        state.log().forgetView();
    }

    private void end() {
        Running ending = running;
        running = Running.NOTHING;
        events.changes().everything();
        ending.server().ifPresent(TrainingServer::close);
        ending.foresight().ifPresent(Foresight::close);
        ending.loop().ifPresent(ControlLoop::close);
        state.recorder().close();
        ending.metrics().ifPresent(OptimusMetrics::close);
    }

    GrantCeilings.Trimmed trim(ApplicationAttemptId attempt, GrantCeilings.Asks asks, List<ContainerId> releases) {
        return ceilings.trim(attempt, asks, releases);
    }

    void visit(List<NodeId> nodes) {
        ceilings.visit(nodes);
    }

    /** What happens in the scheduler is told here, at any time. */
    SchedulerEvents events() {
        return events;
    }

    boolean governs(ApplicationId application) {
        return ceilings.governs(application);
    }

    /**
     * Reads the settings again and refreshes the queues, all or nothing. Refreshes the training service's ACL, too, since
     * YARN refreshes only its own. If mode {@code off} ends, the training service starts before the queues change, because
     * it may fail to.
     *
     * @param yarn the configuration that the ResourceManager started with
     * @param queues refreshes CapacityScheduler
     * @throws IOException if the settings or the queues are invalid, or the service cannot start; nothing has changed
     */
    synchronized void refresh(Configuration yarn, QueueRefresh queues) throws IOException {
        OptimusConfiguration before = configuration;
        OptimusConfiguration next = read(yarn);
        boolean starts = next.mode() != SchedulerMode.OFF && running.server().isEmpty() && active.isPresent();
        try {
            if (starts) {
                configuration = next;
                serve(active.get());
            }
            queues.run();
        } catch (IOException | RuntimeException e) {
            configuration = before;
            if (starts) {
                end();
                ceilings.enforce(false);
            }
            throw e;
        }
        apply(before, next);
        running.server().ifPresent(server -> server.refreshAcl(yarn));
        events.queuesChanged();
    }

    private OptimusConfiguration read(Configuration yarn) throws IOException {
        Optional<ConfigurationProvider> files =
                Optional.ofNullable(scheduler.getRMContext().getConfigurationProvider());
        // A ResourceManager that is about to become active reads them, too, and should not fail for a key of training.
        Optional<CapacityQueues> queues = active.isPresent() ? Optional.of(queuesToRead(yarn)) : Optional.empty();
        try {
            return OptimusConfiguration.read(
                    files.isPresent() ? SiteFile.reread(yarn, files.get()) : yarn,
                    settings -> queues.map(known -> known.problems(settings)).orElse(List.of()));
        } catch (InvalidSettingsException e) {
            throw new IOException(e.getMessage() + "\nThe queues were not refreshed, and nothing has changed.", e);
        }
    }

    private CapacityQueues queuesToRead(Configuration yarn) throws IOException {
        return new CapacityQueues(scheduler.getCsConfProvider().loadConfiguration(new Configuration(yarn)));
    }

    private void apply(OptimusConfiguration before, OptimusConfiguration next) {
        configuration = next;
        if (next.mode() == SchedulerMode.OFF) {
            end();
            forgetJobs();
        }
        ceilings.enforce(enforces());
        if (next.equals(before)) {
            return;
        }
        LOG.info(
                "settings refreshed mode={} before={}",
                next.mode().word(),
                before.mode().word());
        OptimusConfiguration.unchangeable(before, next)
                .forEach(key -> LOG.warn("setting changes when the ResourceManager becomes active again key={}", key));
        warn();
    }

    SchedulerOverview overview() {
        Running now = running;
        List<String> problems = new ArrayList<>(now.problemsNow());
        state.orders().problem().ifPresent(problems::add);
        state.recorder().problem().ifPresent(problems::add);
        return new SchedulerOverview(
                settings(),
                now.server().map(TrainingServer::address),
                problems,
                state,
                now.loop().map(loop -> whatIfs));
    }

    private OptimusConfiguration settings() {
        return configuration;
    }

    private boolean enforces() {
        return configuration.mode() == SchedulerMode.ENFORCE;
    }

    private ControlLoop.Surroundings surroundings() {
        return new ControlLoop.Surroundings(
                applications,
                reader(events.changes())::read,
                new SchedulerEnforcement(scheduler, ceilings),
                TrainingScheduler::strategy,
                ControlLoop::clock,
                System::currentTimeMillis);
    }

    private ClusterReader reader(SchedulerChanges changes) {
        return new ClusterReader(scheduler, gpus, changes, new ClusterReader.Times(ControlLoop::clock, () -> settings()
                .rounds()
                .budgetMillis()));
    }

    private static Strategy strategy(String policy) {
        return Strategies.named(policy).bySeed().apply(STRATEGY_SEED);
    }

    private WhatIfs.Surroundings forecasts() {
        return new WhatIfs.Surroundings(
                state,
                this::settings,
                () -> reader(new SchedulerChanges()),
                this::partition,
                TrainingScheduler::strategy);
    }

    /** The node label of requests in {@code queue} that name none. */
    private String partition(String queue) {
        CSQueue known = scheduler.getQueue(queue);
        String label = known == null ? null : known.getDefaultNodeLabelExpression();
        return label == null ? "" : label.trim();
    }

    private TrainingService service() {
        return new TrainingService(
                this::settings,
                applications,
                new ContainerLimits(scheduler),
                registry,
                new Directives(state.plan(), this::resourceName, ControlLoop::clock),
                new JobLifecycle(state, ceilings, this::enforces, () -> running.loop(), () -> running.metrics()));
    }

    /** The name of a node in resource requests: with or without its port, as the cluster is configured. */
    private String resourceName(String node) {
        if (node.indexOf(':') < 0) {
            // A job said so after a restart; no node of YARN has such an id.
            return node;
        }
        NodeId id = NodeId.fromString(node);
        FiCaSchedulerNode known = scheduler.getNode(id);
        return known == null ? id.getHost() : known.getNodeName();
    }
}
