package io.optimus.am.engine.gpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the NodeManager of a container which GPUs it has assigned to it, as its page does ({@code
 * ws/v1/node/resources/yarn.io%2Fgpu}; Hadoop's {@code NMGpuResourceInfo} is the answer).
 *
 * <p>A task has no Kerberos ticket, so a NodeManager whose pages want one refuses to answer.
 *
 * @param host the host of the NodeManager
 * @param port the port of its page
 * @param container the id of the container
 * @param user the user of the container, whom pages without Kerberos may want to know
 * @param limit the longest time of one try
 */
record NodeManagerGpus(String host, int port, String container, String user, Duration limit) {
    /** A NodeManager answers within milliseconds, unless it is just asking nvidia-smi, which takes a second or two. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final int TRIES = 2;
    private static final int OK = 200;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** What of an unexpected answer is shown. */
    private static final int SHOWN_CHARACTERS = 200;

    /**
     * The NodeManager that YARN names in a container's environment.
     *
     * @throws IOException if it names none
     */
    static NodeManagerGpus of(Map<String, String> environment) throws IOException {
        String host = environment.getOrDefault("NM_HOST", "");
        String port = environment.getOrDefault("NM_HTTP_PORT", "");
        String container = environment.getOrDefault("CONTAINER_ID", "");
        if (host.isBlank() || !port.matches("[0-9]{1,5}") || container.isBlank()) {
            throw new IOException("YARN's variables NM_HOST='" + host + "', NM_HTTP_PORT='" + port
                    + "' and CONTAINER_ID='" + container + "' name no NodeManager and container");
        }
        return new NodeManagerGpus(
                host, Integer.parseInt(port), container, environment.getOrDefault("USER", "nobody"), LIMIT);
    }

    /**
     * The numbers of the container's GPUs, from the smallest, as nvidia-smi counts them.
     *
     * @throws IOException saying why the NodeManager does not tell
     */
    List<Integer> assigned() throws IOException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(limit)
                .build();
        IOException last = new IOException();
        for (int tried = 0; tried < TRIES; tried++) {
            try {
                return read(get(client));
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    /** A task does not know whether pages are served over http or https, so it tries both. */
    private HttpResponse<String> get(HttpClient client) throws IOException {
        IOException plain;
        try {
            return get(client, "http");
        } catch (IOException e) {
            plain = e;
        }
        try {
            return get(client, "https");
        } catch (IOException e) {
            throw new IOException(
                    "NodeManager " + host + ":" + port + " does not answer (http: " + plain.getMessage() + "; https: "
                            + e.getMessage() + ")",
                    e);
        }
    }

    private HttpResponse<String> get(HttpClient client, String scheme) throws IOException {
        String address = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        URI uri = URI.create(scheme + "://" + address + ":" + port + "/ws/v1/node/resources/yarn.io%2Fgpu?user.name="
                + URLEncoder.encode(user, StandardCharsets.UTF_8));
        HttpRequest request =
                HttpRequest.newBuilder(uri).header("Accept", "application/json").build();
        // The time-out of a request itself ends when the headers have come.
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no answer within " + limit.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private List<Integer> read(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() == UNAUTHORIZED || answer.statusCode() == FORBIDDEN) {
            throw new IOException("NodeManager " + host + ":" + port + " wants a Kerberos ticket (HTTP "
                    + answer.statusCode() + "), and tasks have none");
        }
        if (answer.statusCode() != OK) {
            throw unexpected("answered HTTP " + answer.statusCode(), answer.body());
        }
        JsonNode json;
        try {
            json = new ObjectMapper().readTree(answer.body());
        } catch (IOException e) {
            throw unexpected("did not answer in JSON", answer.body());
        }
        JsonNode devices = json.findValue("assignedGpuDevices");
        if (devices == null) {
            throw unexpected(
                    "assigns no GPUs: yarn.nodemanager.resource-plugins must list yarn.io/gpu on it", answer.body());
        }
        return ours(devices, answer.body());
    }

    /** A list of one may come as a single object. */
    private List<Integer> ours(JsonNode devices, String body) throws IOException {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (JsonNode device : devices.isObject() ? List.of(devices) : devices) {
            if (device.path("containerId").asText().equals(container)) {
                JsonNode number = device.path("index");
                if (!number.asText().matches("[0-9]{1,4}")) {
                    throw unexpected("names a GPU without a number", body);
                }
                numbers.add(Integer.parseInt(number.asText()));
            }
        }
        return List.copyOf(numbers);
    }

    private IOException unexpected(String what, String body) {
        String text = body.strip().replaceAll("\\s+", " ");
        return new IOException("NodeManager " + host + ":" + port + " " + what + ": '"
                + text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS)) + "'");
    }
}
