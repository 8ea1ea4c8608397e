package io.optimus.am.client.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the ResourceManager's web address, {@code GET /ws/v1/optimus}. Connections stay open between two questions: a client that
 * follows a job asks once a second.
 */
public final class RestSchedulerClient implements SchedulerClient {
    private static final String ROOT = "/ws/v1/optimus";
    /** After this time the command goes on without an answer, and shows less. */
    private static final int TIMEOUT_MILLIS = 2_000;

    /** The scheduler computes for seconds: see {@code what-if-time-budget}. */
    private static final int LONG_TIMEOUT_MILLIS = 150_000;

    private final Configuration configuration;
    private final ObjectMapper mapper = new ObjectMapper();
    /** With its token a client is known, and asks without another handshake. */
    private final Map<String, AuthenticatedURL.Token> tokens = new HashMap<>();

    public RestSchedulerClient(Configuration configuration) {
        this.configuration = configuration;
    }

    /** The scheduler answers that there is no such thing. */
    private static final class UnknownException extends FileNotFoundException {
        private static final long serialVersionUID = 1;

        UnknownException(String message) {
            super(message);
        }
    }

    /** The scheduler answers that it does not do this; another ResourceManager would not, either. */
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    private interface Question {
        Map<String, SchedulerJob> ask(String address) throws IOException, AuthenticationException;
    }

    @Override
    public Answer jobs() {
        return ask("/jobs", this::all);
    }

    @Override
    public Answer job(String id) {
        return ask("/jobs/" + id, address -> {
            try {
                SchedulerJob job = SchedulerJob.of(get(address, "/jobs/" + id));
                return Map.of(job.id(), job);
            } catch (UnknownException unknown) {
                return Map.of();
            }
        });
    }

    private Answer ask(String path, Question question) {
        String remark = "";
        for (String address : WebAddresses.of(configuration)) {
            try {
                return new Answer(question.ask(address), "");
            } catch (FileNotFoundException absent) {
                remark =
                        "the cluster's scheduler is not OptimusScheduler: " + address + ROOT + path + " does not exist";
            } catch (IOException | AuthenticationException | IllegalArgumentException failed) {
                remark = "the scheduler does not answer at " + address + ROOT + path + ": " + failed.getMessage();
            }
        }
        return new Answer(Map.of(), remark);
    }

    @Override
    public JsonNode read(String path) throws IOException {
        return known(path, address -> get(address, path));
    }

    @Override
    public Optional<JsonNode> find(String path) throws IOException {
        try {
            return Optional.of(firstAnswer(path, address -> get(address, path)));
        } catch (UnknownException unknown) {
            return Optional.empty();
        }
    }

    @Override
    public JsonNode ask(String path, @Nullable JsonNode question) throws IOException {
        return known(path, address -> ask(address, path, question));
    }

    private JsonNode known(String path, Reading reading) throws IOException {
        try {
            return firstAnswer(path, reading);
        } catch (UnknownException unknown) {
            throw new IOException(unknown.getMessage(), unknown);
        }
    }

    private interface Reading {
        JsonNode from(String address) throws IOException, AuthenticationException;
    }

    private JsonNode firstAnswer(String path, Reading reading) throws IOException {
        IOException last = new IOException("no address of a ResourceManager is configured");
        for (String address : WebAddresses.of(configuration)) {
            try {
                return reading.from(address);
            } catch (RefusedException | UnknownException answered) {
                throw answered;
            } catch (FileNotFoundException absent) {
                last = new IOException(
                        "the cluster's scheduler is not OptimusScheduler: " + address + ROOT + path + " does not exist",
                        absent);
            } catch (IOException | AuthenticationException | IllegalArgumentException failed) {
                last = new IOException(
                        "the scheduler does not answer at " + address + ROOT + path + ": " + failed.getMessage(),
                        failed);
            }
        }
        throw last;
    }

    private Map<String, SchedulerJob> all(String address) throws IOException, AuthenticationException {
        Map<String, SchedulerJob> jobs = new LinkedHashMap<>();
        String query = "";
        while (true) {
            JsonNode page = get(address, "/jobs" + query);
            jobs.putAll(jobs(page));
            if (!page.path("next").isTextual()) {
                return jobs;
            }
            query = "?after=" + page.path("next").textValue();
        }
    }

    private JsonNode get(String address, String path) throws IOException, AuthenticationException {
        return answer(WebAddresses.open(address + ROOT + path, TIMEOUT_MILLIS, token(address)), path);
    }

    private AuthenticatedURL.Token token(String address) {
        return tokens.computeIfAbsent(address, unknown -> new AuthenticatedURL.Token());
    }

    private JsonNode ask(String address, String path, @Nullable JsonNode question)
            throws IOException, AuthenticationException {
        HttpURLConnection connection = WebAddresses.open(address + ROOT + path, LONG_TIMEOUT_MILLIS, token(address));
        if (question != null) {
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            try (OutputStream body = connection.getOutputStream()) {
                body.write(mapper.writeValueAsBytes(question));
            }
        }
        return answer(connection, path);
    }

    private JsonNode answer(HttpURLConnection connection, String path) throws IOException {
        int status = connection.getResponseCode();
        // Reading to the end leaves the connection open for the next question.
        InputStream body =
                status < HttpURLConnection.HTTP_BAD_REQUEST ? connection.getInputStream() : connection.getErrorStream();
        byte[] bytes = new byte[0];
        if (body != null) {
            try (body) {
                bytes = body.readAllBytes();
            }
        }
        if (status == HttpURLConnection.HTTP_OK) {
            return mapper.readTree(bytes);
        }
        String message = message(bytes);
        if (status == HttpURLConnection.HTTP_NOT_FOUND) {
            // Another scheduler's answer is a page, and this class's refusal names its own.
            throw message.isEmpty() || message.startsWith("This ResourceManager does not run")
                    ? new FileNotFoundException(path)
                    : new UnknownException(message);
        }
        if (status >= HttpURLConnection.HTTP_BAD_REQUEST && !message.isEmpty()) {
            throw new RefusedException(message);
        }
        throw new IOException(message.isEmpty() ? "HTTP " + status : message);
    }

    private String message(byte[] body) {
        try {
            return mapper.readTree(body).path("message").asText("");
        } catch (IOException noJson) {
            return "";
        }
    }

    private static Map<String, SchedulerJob> jobs(JsonNode answer) {
        Map<String, SchedulerJob> jobs = new LinkedHashMap<>();
        for (JsonNode node : answer.path("jobs")) {
            SchedulerJob job = SchedulerJob.of(node);
            jobs.put(job.id(), job);
        }
        return jobs;
    }
}
