package io.optimus.am.client.logs;

import io.optimus.am.client.cluster.ApplicationSummary;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.logaggregation.ContainerLogFileInfo;
import org.apache.hadoop.yarn.logaggregation.ContainerLogMeta;
import org.apache.hadoop.yarn.logaggregation.ContainerLogsRequest;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileController;
import org.apache.hadoop.yarn.logaggregation.filecontroller.LogAggregationFileControllerFactory;

/** Reads logs of a job that has ended from where YARN's log aggregation has put them, with Hadoop's own classes. */
final class AggregatedLogs implements LogReader {
    private final Configuration configuration;
    private final ApplicationSummary job;
    private final ApplicationId id;

    AggregatedLogs(Configuration configuration, ApplicationSummary job) {
        this.configuration = configuration;
        this.job = job;
        this.id = ApplicationId.fromString(job.id());
    }

    @Override
    public SortedMap<String, Long> files(LoggedTask task) throws IOException {
        SortedMap<String, Long> files = new TreeMap<>();
        for (ContainerLogMeta meta : controller(task).readAggregatedLogsMeta(request(task, new HashSet<>()))) {
            for (ContainerLogFileInfo file : meta.getContainerLogMeta()) {
                if (file.getFileName().matches(OUTPUT)) {
                    files.merge(file.getFileName(), Long.parseLong(file.getFileSize()), Math::max);
                }
            }
        }
        return files;
    }

    @Override
    public LastBytes last(LoggedTask task, String file, long bytes) throws IOException {
        ContainerLogsRequest request = request(task, new HashSet<>(Set.of(file)));
        request.setBytes(-bytes);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        controller(task).readAggregatedLogs(request, text);
        return YarnLogText.read(text.toByteArray(), bytes);
    }

    private ContainerLogsRequest request(LoggedTask task, Set<String> files) {
        ContainerLogsRequest request = new ContainerLogsRequest();
        request.setAppId(id);
        request.setAppOwner(job.user());
        request.setContainerId(ContainerId.fromString(task.container()).toString());
        request.setNodeId(
                task.node().isEmpty() ? null : NodeId.fromString(task.node()).toString());
        request.setLogTypes(files);
        request.setBytes(Long.MIN_VALUE + 1);
        request.setAppFinished(true);
        return request;
    }

    private LogAggregationFileController controller(LoggedTask task) throws IOException {
        try {
            return new LogAggregationFileControllerFactory(configuration).getFileControllerForRead(id, job.user());
        } catch (IOException | RuntimeException absent) {
            throw new FileNotFoundException(advice(task, absent));
        }
    }

    private String advice(LoggedTask task, Exception absent) {
        if (configuration.getBoolean(
                YarnConfiguration.LOG_AGGREGATION_ENABLED, YarnConfiguration.DEFAULT_LOG_AGGREGATION_ENABLED)) {
            return "YARN has not aggregated the logs of " + job.id() + ", or has deleted them after "
                    + YarnConfiguration.LOG_AGGREGATION_RETAIN_SECONDS
                    + ": if the job has just ended, try again in a minute; else see " + absent.getMessage();
        }
        return "Log aggregation is off here (" + YarnConfiguration.LOG_AGGREGATION_ENABLED
                + "), so YARN keeps no logs of"
                + " jobs that have ended: read them while the job runs, or have it turned on. For "
                + YarnConfiguration.NM_LOG_RETAIN_SECONDS + " they are still on the node "
                + (task.node().isEmpty() ? "" : task.node() + " ") + "in " + job.id() + "/" + task.container()
                + " under its "
                + YarnConfiguration.NM_LOG_DIRS;
    }
}
