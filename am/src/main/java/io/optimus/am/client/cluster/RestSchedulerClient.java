package io.optimus.am.client.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** Asks the ResourceManager's web address, {@code GET /ws/v1/optimus/jobs}. */
public final class RestSchedulerClient implements SchedulerClient {
    private static final String PATH = "/ws/v1/optimus/jobs";
    /** After this time the command goes on without an answer, and shows less. */
    private static final int TIMEOUT_MILLIS = 2_000;

    private final Configuration configuration;
    private final ObjectMapper mapper = new ObjectMapper();

    public RestSchedulerClient(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Answer jobs() {
        String remark = "";
        for (String address : WebAddresses.of(configuration)) {
            try {
                return new Answer(read(address), "");
            } catch (FileNotFoundException absent) {
                remark = "the cluster's scheduler is not OptimusScheduler: " + address + PATH + " does not exist";
            } catch (IOException | AuthenticationException | IllegalArgumentException failed) {
                remark = "the scheduler does not answer at " + address + PATH + ": " + failed.getMessage();
            }
        }
        return new Answer(Map.of(), remark);
    }

    private Map<String, SchedulerJob> read(String address) throws IOException, AuthenticationException {
        Map<String, SchedulerJob> jobs = new LinkedHashMap<>();
        String query = "";
        while (true) {
            JsonNode page = page(address, query);
            jobs.putAll(jobs(page));
            if (!page.path("next").isTextual()) {
                return jobs;
            }
            query = "?after=" + page.path("next").textValue();
        }
    }

    private JsonNode page(String address, String query) throws IOException, AuthenticationException {
        HttpURLConnection connection = WebAddresses.open(address + PATH + query, TIMEOUT_MILLIS);
        try {
            if (connection.getResponseCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                throw new FileNotFoundException(PATH);
            }
            try (InputStream body = connection.getInputStream()) {
                return mapper.readTree(body);
            }
        } finally {
            connection.disconnect();
        }
    }

    private static Map<String, SchedulerJob> jobs(JsonNode answer) {
        Map<String, SchedulerJob> jobs = new LinkedHashMap<>();
        for (JsonNode node : answer.isArray() ? answer : answer.path("jobs")) {
            SchedulerJob job = SchedulerJob.of(node);
            jobs.put(job.id(), job);
        }
        return jobs;
    }
}
