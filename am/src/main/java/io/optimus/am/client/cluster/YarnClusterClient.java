package io.optimus.am.client.cluster;

import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ApplicationSummary.Period;
import io.optimus.am.client.cluster.ApplicationSummary.Status;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptReport;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** A client of a real cluster. */
public final class YarnClusterClient implements ClusterClient {
    /** YARN's own limit is a quarter of an hour without a message, too long for a user who waits. */
    private static final int CONNECT_SECONDS = 10;

    /** The scheduler type of the queues of CapacityScheduler, and of OptimusScheduler. */
    private static final String CAPACITY_SCHEDULER = "CapacityScheduler";

    private static final Set<YarnApplicationState> ENDED =
            EnumSet.of(YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED);

    private final YarnClient client;

    private YarnClusterClient(YarnClient client) {
        this.client = client;
    }

    /** A client of the cluster that {@code configuration} names; it fails at the first call if there is none. */
    public static YarnClusterClient connect(Configuration configuration) {
        YarnConfiguration adapted = new YarnConfiguration(configuration);
        long configured = adapted.getLong(
                YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS,
                YarnConfiguration.DEFAULT_RESOURCEMANAGER_CONNECT_MAX_WAIT_MS);
        long most = CONNECT_SECONDS * 1_000L;
        adapted.setLong(
                YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS,
                configured < 0 ? most : Math.min(configured, most));
        adapted.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 1_000);
        // Each attempt of YARN would otherwise be ten attempts of Hadoop RPC, a second apart.
        adapted.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        YarnClient client = YarnClient.createYarnClient();
        client.init(adapted);
        client.start();
        return new YarnClusterClient(client);
    }

    @Override
    public NewApplication newApplication() throws IOException {
        YarnClientApplication application = calling(client::createApplication);
        Map<String, Long> amounts = new HashMap<>();
        ResourceInformation[] all = application
                .getNewApplicationResponse()
                .getMaximumResourceCapability()
                .getResources();
        for (ResourceInformation resource : all) {
            amounts.put(resource.getName(), resource.getValue());
        }
        List<String> names =
                Arrays.stream(all).map(ResourceInformation::getName).sorted().toList();
        ApplicationId id = application.getNewApplicationResponse().getApplicationId();
        return new NewApplication(id, new LargestContainer(names, Resources.of(amounts)));
    }

    @Override
    public List<ClusterQueue> queues() throws IOException {
        List<QueueInfo> queues = calling(client::getAllQueues);
        if (!queues.stream().allMatch(queue -> CAPACITY_SCHEDULER.equals(queue.getSchedulerType()))) {
            return List.of();
        }
        Set<String> open = new TreeSet<>();
        for (QueueUserACLInfo rights : calling(client::getQueueAclsInfo)) {
            // A user who may administer a queue may also submit to it.
            if (rights.getUserAcls().contains(QueueACL.SUBMIT_APPLICATIONS)
                    || rights.getUserAcls().contains(QueueACL.ADMINISTER_QUEUE)) {
                open.add(rights.getQueueName());
            }
        }
        return queues.stream()
                .map(queue -> new ClusterQueue(
                        queue.getQueuePath(),
                        queue.getChildQueues().isEmpty(),
                        queue.getQueueState().name(),
                        open.contains(queue.getQueuePath()) || open.contains(queue.getQueueName())))
                .toList();
    }

    @Override
    public void submit(ApplicationSubmissionContext context) throws IOException {
        calling(() -> client.submitApplication(context));
    }

    @Override
    public Optional<ApplicationSummary> find(String id) throws IOException {
        try {
            return Optional.of(describe(client.getApplicationReport(ApplicationId.fromString(id))));
        } catch (ApplicationNotFoundException unknown) {
            return Optional.empty();
        } catch (YarnException wrong) {
            throw new IOException(wrong.getMessage(), wrong);
        }
    }

    @Override
    public List<ApplicationSummary> trainingJobs() throws IOException {
        return calling(() -> client.getApplications(Set.of(TRAINING_TYPE))).stream()
                .sorted(Comparator.comparing(ApplicationReport::getApplicationId))
                .map(YarnClusterClient::describe)
                .toList();
    }

    @Override
    public List<MasterContainer> masters(String id) throws IOException {
        List<ApplicationAttemptReport> attempts =
                new ArrayList<>(calling(() -> client.getApplicationAttempts(ApplicationId.fromString(id))));
        attempts.sort(Comparator.comparing(ApplicationAttemptReport::getApplicationAttemptId));
        List<MasterContainer> masters = new ArrayList<>();
        for (ApplicationAttemptReport attempt : attempts) {
            if (attempt.getAMContainerId() != null) {
                masters.add(master(attempt.getApplicationAttemptId().getAttemptId(), attempt.getAMContainerId()));
            }
        }
        return masters;
    }

    private MasterContainer master(int attempt, ContainerId container) throws IOException {
        try {
            ContainerReport report = client.getContainerReport(container);
            return new MasterContainer(
                    attempt,
                    container.toString(),
                    report.getAssignedNode() == null
                            ? ""
                            : report.getAssignedNode().toString(),
                    known(report.getNodeHttpAddress()));
        } catch (YarnException forgotten) {
            return new MasterContainer(attempt, container.toString(), "", "");
        }
    }

    @Override
    public Map<String, String> nodeAddresses() throws IOException {
        Map<String, String> addresses = new HashMap<>();
        for (NodeReport node : calling(() -> client.getNodeReports(NodeState.RUNNING))) {
            addresses.put(
                    node.getNodeId().toString(), WebAddresses.withScheme(client.getConfig(), node.getHttpAddress()));
        }
        return addresses;
    }

    @Override
    public int setPriority(String id, int priority) throws IOException {
        return calling(() ->
                        client.updateApplicationPriority(ApplicationId.fromString(id), Priority.newInstance(priority)))
                .getPriority();
    }

    @Override
    public void kill(String id) throws IOException {
        calling(() -> {
            client.killApplication(ApplicationId.fromString(id));
            return id;
        });
    }

    @Override
    public void close() {
        client.stop();
    }

    private static ApplicationSummary describe(ApplicationReport report) {
        boolean ended = ENDED.contains(report.getYarnApplicationState());
        return new ApplicationSummary(
                report.getApplicationId().toString(),
                report.getApplicationType(),
                report.getName(),
                report.getUser(),
                report.getQueue(),
                new Status(
                        report.getYarnApplicationState().name(),
                        ended ? outcome(report.getFinalApplicationStatus()) : Outcome.OPEN,
                        known(report.getDiagnostics()).strip()),
                known(report.getTrackingUrl()),
                new Period(report.getStartTime(), report.getFinishTime()));
    }

    private static Outcome outcome(FinalApplicationStatus status) {
        return switch (status) {
            case SUCCEEDED -> Outcome.SUCCEEDED;
            case KILLED -> Outcome.KILLED;
            case UNDEFINED, FAILED, ENDED -> Outcome.FAILED;
        };
    }

    private static String known(String text) {
        return text == null || text.equals("N/A") ? "" : text;
    }

    private interface Call<T> {
        T run() throws IOException, YarnException;
    }

    private static <T> T calling(Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (YarnException wrong) {
            throw new IOException(wrong.getMessage(), wrong);
        }
    }
}
