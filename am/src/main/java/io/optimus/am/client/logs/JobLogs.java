package io.optimus.am.client.logs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.ClusterClient.MasterContainer;
import io.optimus.am.client.cluster.WebAddresses;
import io.optimus.am.client.submission.Staging;
import io.optimus.am.job.JobDirectory;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * Finds the containers of a job's processes: those of now in the status of its ApplicationMaster, those of before in its
 * journals, which only its owner may read.
 */
final class JobLogs {
    private static final int TIMEOUT_MILLIS = 10_000;
    /** Journals of all attempts; attempt 0 is that of an earlier job that this one resumes. */
    private static final String JOURNALS = "journal(-[1-9][0-9]*)?\\.jsonl";

    private final Configuration configuration;
    private final ClusterClient cluster;
    private final ObjectMapper mapper = new ObjectMapper();

    JobLogs(Configuration configuration, ClusterClient cluster) {
        this.configuration = configuration;
        this.cluster = cluster;
    }

    /** The ApplicationMasters of all attempts, the first one first. */
    List<LoggedTask> masters(String id) throws IOException {
        List<LoggedTask> masters = new ArrayList<>();
        for (MasterContainer master : cluster.masters(id)) {
            masters.add(
                    new LoggedTask("master-" + master.attempt(), master.container(), master.node(), master.address()));
        }
        return masters;
    }

    /** The tasks that run now; none if the ApplicationMaster has not started yet. */
    Collection<LoggedTask> running(ApplicationSummary job) throws IOException {
        Map<String, LoggedTask> tasks = new LinkedHashMap<>();
        for (JsonNode task : status(job).path("tasks")) {
            String name = task.path("task").asText();
            tasks.put(
                    name,
                    new LoggedTask(
                            name,
                            task.path("container").asText(),
                            task.path("node").asText(),
                            server(task.path("log").asText())));
        }
        return tasks.values();
    }

    private JsonNode status(ApplicationSummary job) throws IOException {
        if (job.trackingUrl().isEmpty() || !job.status().state().equals("RUNNING")) {
            return mapper.createObjectNode();
        }
        String url = job.trackingUrl() + (job.trackingUrl().endsWith("/") ? "" : "/") + "api/status";
        try {
            HttpURLConnection connection = WebAddresses.open(url, TIMEOUT_MILLIS);
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                connection.disconnect();
                throw new IOException("The job's ApplicationMaster answers " + url + " with status " + status
                        + ": try again in some seconds");
            }
            try (InputStream body = connection.getInputStream()) {
                return mapper.readTree(body);
            } catch (JsonProcessingException page) {
                throw new IOException(
                        "YARN's proxy answers " + url
                                + " with a page for people, as it does where a job is not one's own;"
                                + " YARN shows the logs of all containers by: yarn logs -applicationId " + job.id(),
                        page);
            }
        } catch (AuthenticationException refused) {
            throw new IOException("The job's page " + url + " refuses: " + refused.getMessage(), refused);
        }
    }

    /** {@code http://node:8042} of the address of a page there. */
    private static String server(String page) {
        if (page.isEmpty()) {
            return "";
        }
        URI uri = URI.create(page);
        return uri.getScheme() + "://" + uri.getAuthority();
    }

    /** All tasks that the job has ever started: of each name the last one. */
    Collection<LoggedTask> started(ApplicationSummary job) throws IOException {
        Map<String, String> addresses = job.status().ended() ? Map.of() : cluster.nodeAddresses();
        Map<String, LoggedTask> tasks = new LinkedHashMap<>();
        JobDirectory directory = Staging.of(configuration, job.user()).directory(job.id());
        try {
            FileSystem fileSystem = directory.root().getFileSystem(configuration);
            FileStatus[] files = fileSystem.listStatus(
                    directory.root(), path -> path.getName().matches(JOURNALS));
            Arrays.sort(files, (one, other) -> Long.compare(one.getModificationTime(), other.getModificationTime()));
            for (FileStatus file : files) {
                read(fileSystem, file.getPath(), addresses, tasks);
            }
        } catch (AccessControlException refused) {
            throw new IOException(
                    "Only " + job.user() + " may read the journal in " + directory.root()
                            + ", which says in which containers the tasks ran; YARN shows the logs of all containers by:"
                            + " yarn logs -applicationId " + job.id(),
                    refused);
        } catch (FileNotFoundException absent) {
            throw new IOException(
                    "There is no journal in " + directory.root()
                            + ", which says in which containers the tasks ran; YARN shows the logs of all containers by:"
                            + " yarn logs -applicationId " + job.id(),
                    absent);
        }
        return tasks.values();
    }

    private void read(FileSystem fileSystem, Path journal, Map<String, String> addresses, Map<String, LoggedTask> tasks)
            throws IOException {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(fileSystem.open(journal), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("\"task-started\"")) {
                    take(line, addresses, tasks);
                }
            }
        }
    }

    private void take(String line, Map<String, String> addresses, Map<String, LoggedTask> tasks) {
        try {
            JsonNode event = mapper.readTree(line);
            String name = event.path("task").asText();
            String node = event.path("node").asText();
            tasks.remove(name);
            tasks.put(
                    name,
                    new LoggedTask(name, event.path("container").asText(), node, addresses.getOrDefault(node, "")));
        } catch (JsonProcessingException cutShort) {
            // The last line of a job that was killed.
        }
    }
}
