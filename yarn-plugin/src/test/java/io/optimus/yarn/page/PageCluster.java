package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.Await;
import io.optimus.yarn.FreePort;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.TrainingApplications;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.protocolrecords.MoveApplicationAcrossQueuesRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.slf4j.LoggerFactory;

/**
 * A ResourceManager with its web application. Jobs of {@link #train} follow the plan on simulated nodes; those of {@link #job}
 * are registered by hand, run nothing and report only what the test says.
 */
public final class PageCluster implements AutoCloseable {
    private static final int EPOCHS = 40;

    private final Configuration configuration = new YarnConfiguration();
    private final ResourceManager resourceManager = new ResourceManager();
    private final Map<ApplicationId, Long> reports = new HashMap<>();
    private final List<SimulatedHeartbeats> nodes = new CopyOnWriteArrayList<>();
    private final List<FollowingJob> training = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private volatile boolean paused;

    /** Starts it with further configuration; {@code folder} is for its files. */
    public PageCluster(Path folder, Map<String, String> more) {
        DefaultMetricsSystem.setMiniClusterMode(true);
        configuration.setClass(YarnConfiguration.RM_SCHEDULER, OptimusScheduler.class, OptimusScheduler.class);
        configuration.set(YarnConfiguration.RESOURCE_TYPES, "yarn.io/gpu");
        configuration.set(
                "yarn.http.rmwebapp.external.classes",
                "io.optimus.yarn.web.OptimusResource,io.optimus.yarn.page.SchedulerPages");
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                TrainingAddress.ADDRESS)) {
            configuration.set(address, "localhost:0");
        }
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "localhost:" + FreePort.find());
        configuration.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                folder.toUri().toString());
        configuration.set("yarn.scheduler.capacity.resource-calculator", DominantResourceCalculator.class.getName());
        configuration.set("yarn.scheduler.capacity.root.queues", "default,research");
        configuration.set("yarn.scheduler.capacity.root.default.capacity", "40");
        configuration.set("yarn.scheduler.capacity.root.research.capacity", "60");
        configuration.set("yarn.scheduler.optimus.round-interval", "1s");
        configuration.set("yarn.scheduler.optimus.round-gap", "100ms");
        configuration.setBoolean(YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME, true);
        configuration.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        configuration.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0");
        configuration.set("yarn.scheduler.capacity.root.default.user-limit-factor", "10");
        more.forEach(configuration::set);
        ResourceUtils.resetResourceTypes(configuration);
        resourceManager.init(configuration);
        resourceManager.start();
        var unused = clock.scheduleWithFixedDelay(this::tick, 0, 200, TimeUnit.MILLISECONDS);
    }

    /** Nodes send heartbeats, and jobs train, while they are not paused. */
    private void tick() {
        try {
            for (SimulatedHeartbeats node : nodes) {
                node.send(resourceManager);
            }
            for (FollowingJob job : paused ? List.<FollowingJob>of() : training) {
                job.advance();
            }
        } catch (Exception e) {
            LoggerFactory.getLogger(PageCluster.class).warn("simulated cluster", e);
        }
    }

    /** Adds nodes with this many GPUs each. */
    public void nodes(int count, long gpus) throws Exception {
        for (int i = 0; i < count; i++) {
            nodes.add(SimulatedHeartbeats.register(
                    resourceManager,
                    NodeId.newInstance("localhost", 10_001 + nodes.size()),
                    LocalResourceManager.resource(65_536, 32, gpus)));
        }
    }

    /** A job of 1 to 4 parameter servers and 1 to 8 workers that trains as soon as it can. */
    public FollowingJob train(String name) throws Exception {
        return train(registration(name, EPOCHS).build());
    }

    /** A job whose workers accept only GPUs of a type that no node has. */
    public FollowingJob trainOnMissingGpus(String name) throws Exception {
        return train(registration(name, EPOCHS).addGpuTypes("h900").build());
    }

    /** A job that ends after so many epochs of 100 steps. */
    public static RegisterJobRequestProto.Builder registration(String name, int epochs) {
        return Jobs.registration()
                .setName(name)
                .setStop(StopRuleProto.newBuilder().setMaxEpochs(epochs));
    }

    /** The same of a job that needs exactly so many workers. */
    public static RegisterJobRequestProto.Builder registration(String name, int epochs, int workers) {
        RegisterJobRequestProto.Builder job = registration(name, epochs);
        job.getRolesBuilderList().stream()
                .filter(role -> role.getRole() == RoleProto.WORKER)
                .forEach(role -> role.setMin(workers).setMax(workers));
        return job;
    }

    /** Trains the job of {@code registration}. */
    public FollowingJob train(RegisterJobRequestProto registration) throws Exception {
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(submit(registration.getName()), 1);
        Await.until(attempt + " is launched", () -> {
            RMApp application = resourceManager.getRMContext().getRMApps().get(attempt.getApplicationId());
            return application != null
                    && application.getRMAppAttempt(attempt) != null
                    && application.getRMAppAttempt(attempt).getAppAttemptState() == RMAppAttemptState.LAUNCHED;
        });
        FakeApplicationMaster master = new FakeApplicationMaster(() -> resourceManager, attempt);
        master.register();
        FollowingJob job = new FollowingJob(master, registration);
        training.add(job);
        return job;
    }

    /** Moves an application to another queue, as {@code yarn application -movetoqueue} does. */
    public void move(ApplicationId id, String queue) throws Exception {
        resourceManager
                .getClientRMService()
                .moveApplicationAcrossQueues(MoveApplicationAcrossQueuesRequest.newInstance(id, queue));
    }

    /** Waits until the job has done so many steps. */
    public void awaitSteps(FollowingJob job, long steps) throws InterruptedException {
        for (int tries = 0; job.step() < steps; tries++) {
            if (tries > 1_200) {
                throw new AssertionError(job.id() + " has done " + job.step() + " steps only");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Waits until a round has said why the job waits. */
    public void awaitReason(FollowingJob job) {
        Await.until(
                job.id() + " has a reason",
                () -> overview().state().plan().current().of(job.id()).isPresent());
    }

    /** Jobs train no further from now on. */
    public void pauseJobs() throws Exception {
        paused = true;
        clock.submit(() -> {}).get();
    }

    /** An administrator drains a node that is not there yet. */
    public void drainNode(String node) throws Exception {
        overview().state().orders().drainNode(node, new Order("operator", System.currentTimeMillis()));
    }

    public String address() {
        return "http://" + configuration.get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    }

    public SchedulerOverview overview() {
        return ((OptimusScheduler) resourceManager.getResourceScheduler())
                .overview()
                .orElseThrow();
    }

    /** The application as its owner's own, without a job. */
    public ApplicationId submit(String name) throws Exception {
        ApplicationId id = TrainingApplications.submit(resourceManager, name, true);
        return id;
    }

    /** A registered job that waits. */
    public ApplicationId job(String name) throws Exception {
        ApplicationId id = submit(name);
        Await.until(
                id + " is known",
                () -> resourceManager.getRMContext().getRMApps().containsKey(id));
        overview()
                .state()
                .registry()
                .register(
                        facts(id),
                        Jobs.LIMITS,
                        Jobs.registration().setName(name).build());
        return id;
    }

    private static ApplicationFacts facts(ApplicationId id) {
        return new ApplicationFacts(
                ApplicationAttemptId.newInstance(id, 1), "me", "root.default", System.currentTimeMillis(), 0);
    }

    /** The job trains on this size, on one node, and has come to {@code step} on a curve that falls towards 1. */
    public void runs(ApplicationId id, Allocation size, long step) throws Exception {
        overview().state().registry().holds(id, size, System.nanoTime() / 1_000_000);
        long sequence = reports.merge(id, 1L, Long::sum);
        ReportRequestProto.Builder report = Jobs.report(sequence)
                .setCurrentStep(step)
                .setEpoch(step / 100.0)
                .addMembers(NodeAllocationProto.newBuilder()
                        .setNode("gpu01.example.com:8041")
                        .setAllocation(Jobs.allocation(size.parameterServers(), size.workers())));
        for (long at = Math.max(1, step - 190); at <= step; at += 10) {
            report.addLosses(Jobs.loss(at, 1 + 5 * Math.exp(-at / 300.0)));
        }
        report.addSpeeds(Jobs.speed(
                size.parameterServers(),
                size.workers(),
                1 / (0.1 + 0.8 / size.workers() + 0.1 * size.workers() / size.parameterServers())));
        overview().state().registry().report(facts(id), report.build());
    }

    /** What the web application answers. */
    public HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address() + path));
        for (int i = 0; i + 1 < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        clock.shutdownNow();
        for (FollowingJob job : training) {
            try {
                job.close();
            } catch (Exception e) {
                LoggerFactory.getLogger(PageCluster.class).warn("simulated cluster", e);
            }
        }
        resourceManager.stop();
        ResourceUtils.resetResourceTypes(new Configuration(false));
    }
}
