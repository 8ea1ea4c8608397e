package io.optimus.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads the REST interfaces of the ResourceManager, YARN's and ours. */
final class ResourceManagerApi {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI base;

    ResourceManagerApi(URI base) {
        this.base = base;
    }

    /** Returns all training jobs, as in {@code /ws/v1/optimus/jobs}. */
    JsonNode jobs() throws IOException, InterruptedException {
        return get("/ws/v1/optimus/jobs").path("jobs");
    }

    /** Returns the number of rounds since the scheduler started. */
    long rounds() throws IOException, InterruptedException {
        return get("/ws/v1/optimus").required("rounds").asLong();
    }

    /** Returns the state of an application in YARN. */
    JsonNode application(String id) throws IOException, InterruptedException {
        return get("/ws/v1/cluster/apps/" + id).path("app");
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(TIMEOUT)
                .header("Accept", "application/json")
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(base.resolve(path) + " answered " + answer.statusCode() + ": " + answer.body());
        }
        return json.readTree(answer.body());
    }
}
