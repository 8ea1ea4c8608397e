package io.optimus.yarn;

import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.policy.OptimusPolicy;
import io.optimus.yarn.capacity.AllocateAsks;
import io.optimus.yarn.capacity.Ceiling;
import io.optimus.yarn.capacity.ClusterReader;
import io.optimus.yarn.capacity.ContainerLimits;
import io.optimus.yarn.capacity.EarlyRound;
import io.optimus.yarn.capacity.GrantCeilings;
import io.optimus.yarn.capacity.ShrinkEvents;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobMemory;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.ReportNews;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.round.Enforcement;
import io.optimus.yarn.round.Rounds;
import io.optimus.yarn.round.Wakeup;
import io.optimus.yarn.service.Directives;
import io.optimus.yarn.service.LiveApplications;
import io.optimus.yarn.service.TrainingServer;
import io.optimus.yarn.service.TrainingService;
import io.optimus.yarn.web.Overview;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that is beside CapacityScheduler, put together: settings when it is configured, the jobs' door and the rounds while
 * it is active. Before it starts and after it stops, what happens is noted or ignored.
 */
final class TrainingSide {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingSide.class);

    private final CapacityScheduler scheduler;
    private final GrantCeilings ceilings;
    private final Applications applications;
    private final Wakeup wakeup = new Wakeup();
    private volatile Settings settings = Settings.of(OptimusConfiguration.read(new Configuration(false)), wakeup);
    private volatile Running running = Running.NOTHING;

    TrainingSide(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
        this.ceilings = new GrantCeilings(scheduler);
        this.applications = new LiveApplications(scheduler::getRMContext);
    }

    /** What follows from the configuration. */
    private record Settings(OptimusConfiguration configuration, JobRegistry registry, Rounds.State state) {
        static Settings of(OptimusConfiguration configuration, Wakeup wakeup) {
            JobRegistry registry = new JobRegistry(new JobMemory(
                    configuration.lossPoints(),
                    configuration.speedSizes(),
                    configuration.resizes(),
                    configuration.tasksPerRole()));
            return new Settings(configuration, registry, Rounds.State.of(registry, wakeup));
        }

        boolean enforces() {
            return configuration.mode() == SchedulerMode.ENFORCE;
        }
    }

    /** What is there while the scheduler is active. */
    private record Running(Optional<Rounds> rounds, Optional<TrainingServer> server, Optional<OptimusMetrics> metrics) {
        static final Running NOTHING = new Running(Optional.empty(), Optional.empty(), Optional.empty());
    }

    void configure(Configuration yarn) {
        boolean off = SchedulerMode.OFF.word().equals(yarn.getTrimmed(OptimusConfiguration.PREFIX + "mode"));
        settings = Settings.of(OptimusConfiguration.read(yarn, off ? List.of() : problems(yarn)), wakeup);
    }

    void start(Configuration yarn) throws IOException {
        Settings now = settings;
        OptimusMetrics metrics = OptimusMetrics.register();
        Optional<Rounds> rounds = now.configuration().mode() == SchedulerMode.OFF
                ? Optional.empty()
                : Optional.of(Rounds.start(now.configuration(), now.state(), surroundings(now), metrics));
        running = new Running(rounds, Optional.empty(), Optional.of(metrics));
        TrainingServer server = TrainingServer.start(
                yarn,
                service(now),
                scheduler.getRMContext().getAMRMTokenSecretManager(),
                now.configuration().rpcHandlers());
        running = new Running(rounds, Optional.of(server), Optional.of(metrics));
        LOG.info(
                "training service started address={} mode={}",
                server.address(),
                now.configuration().mode().word());
    }

    void stop() {
        Running ending = running;
        running = Running.NOTHING;
        ending.server().ifPresent(TrainingServer::close);
        ending.rounds().ifPresent(Rounds::close);
        ending.metrics().ifPresent(OptimusMetrics::close);
    }

    /** Only notes what happened; never throws, whenever it is called. */
    void happened(SchedulerEvent event) {
        try {
            if (event instanceof NodeUpdateSchedulerEvent update) {
                ceilings.afterNodeUpdate(update.getRMNode().getNodeID());
            } else if (event instanceof AppRemovedSchedulerEvent removed) {
                settings.registry().remove(removed.getApplicationID());
                ceilings.remove(removed.getApplicationID());
            }
            EarlyRound.of(event).ifPresent(wakeup::signal);
        } catch (RuntimeException e) {
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
        if (settings.registry().contains(application)) {
            wakeup.released();
        }
    }

    /** Queues were read anew; who may call is read anew with them, as YARN refreshes only its own servers' ACLs. */
    void refresh(Configuration yarn) {
        running.server().ifPresent(server -> server.refreshAcl(yarn));
        queuesChanged();
    }

    void queuesChanged() {
        wakeup.signal(EarlyRound.QUEUES);
    }

    Overview overview() {
        Settings now = settings;
        return new Overview(
                now.configuration(),
                running.server().map(TrainingServer::address),
                now.registry(),
                now.state().estimates(),
                now.state().board(),
                now.state().log());
    }

    private Rounds.Surroundings surroundings(Settings now) {
        return new Rounds.Surroundings(
                applications,
                new ClusterReader(scheduler)::read,
                now.enforces() ? new LiveEnforcement(ceilings, new ShrinkEvents(scheduler)) : Enforcement.NONE,
                Map.of("optimus", new OptimusPolicy()),
                new OptimusPlacer(),
                // Not the ResourceManager's own start: one JVM may become active several times.
                System.currentTimeMillis());
    }

    private TrainingService service(Settings now) {
        return new TrainingService(
                now.configuration().mode(),
                now.configuration().reportIntervalMillis(),
                applications,
                new ContainerLimits(scheduler),
                now.registry(),
                new Directives(now.state().board(), this::resourceName, Rounds::clock),
                new Ears());
    }

    /** Resource requests name nodes with or without their port, as the cluster is set up. */
    private String resourceName(String node) {
        NodeId id = NodeId.fromString(node);
        FiCaSchedulerNode known = scheduler.getNode(id);
        return known == null ? id.getHost() : known.getNodeName();
    }

    private static List<String> problems(Configuration yarn) {
        String store = yarn.get(
                YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS, YarnConfiguration.DEFAULT_CONFIGURATION_STORE);
        // Other stores are read by CapacityScheduler alone, which then says it in its own words.
        Class<?> calculator = YarnConfiguration.FILE_CONFIGURATION_STORE.equals(store)
                ? new CapacitySchedulerConfiguration(yarn, true)
                        .getResourceCalculator()
                        .getClass()
                : DominantResourceCalculator.class;
        return OptimusConfiguration.problemsOfYarn(
                yarn, calculator, ResourceUtils.getResourceTypes().keySet());
    }

    /** What jobs bring may call for a round. */
    private final class Ears implements TrainingService.Listener {
        @Override
        public void registered(ApplicationId application, long plan) {
            running.rounds().ifPresent(rounds -> rounds.numbersAbove(plan));
            if (settings.enforces() && !governs(application)) {
                ceilings.put(application, Ceiling.NOTHING);
            }
            wakeup.signal(EarlyRound.ARRIVAL);
        }

        @Override
        public void reported(ApplicationId application, ReportNews news) {
            running.metrics().ifPresent(metrics -> {
                metrics.resized(news.resizes());
                metrics.refused(news.refused());
            });
            if (news.newSize()) {
                wakeup.signal(EarlyRound.SPEED_MEASURED);
            }
        }

        @Override
        public void finished(ApplicationId application) {
            wakeup.signal(EarlyRound.COMPLETION);
        }
    }
}
