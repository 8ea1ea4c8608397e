package io.optimus.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Asks a running ResourceManager which scheduler it has, in which mode and version. */
public final class RunningScheduler {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int NOT_FOUND = 404;
    private static final int NOT_AUTHENTICATED = 401;
    private static final int OK = 200;

    private final String address;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(PATIENCE)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    /** What a ResourceManager answered: {@code serves} if it runs Optimus in mode advise or enforce without a problem. */
    record Answer(boolean serves, List<String> lines) {}

    RunningScheduler(String address) {
        this.address = address;
    }

    /**
     * Takes {@code CONFIGURATION_FOLDER}, or {@code CONFIGURATION_FOLDER ADDRESS} such as {@code http://rm.example.com:8088}.
     * Exits 0 if one of the ResourceManagers runs Optimus in mode advise or enforce, else 1.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> addresses = arguments.length > 1
                ? List.of(arguments[1])
                : addresses(
                        SiteFile.read(Path.of(arguments[0], "yarn-site.xml")).properties());
        boolean serves = false;
        for (String address : addresses) {
            Answer answer = new RunningScheduler(address).ask();
            answer.lines().forEach(System.out::println);
            serves |= answer.serves();
        }
        if (!serves && Files.exists(Path.of(arguments[0], "yarn-site.xml"))) {
            System.out.println("What the configuration says:");
            Path site = Path.of(arguments[0], "yarn-site.xml");
            Verdict.of(SiteFile.read(site).properties(), site).forEach(System.out::println);
        }
        System.exit(serves ? 0 : 1);
    }

    /** The web addresses of the ResourceManagers. */
    static List<String> addresses(Map<String, String> site) {
        boolean secure = site.getOrDefault("yarn.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY");
        List<String> addresses = new ArrayList<>();
        for (String id : site.getOrDefault("yarn.resourcemanager.ha.rm-ids", "").split(",", -1)) {
            String suffix = id.isBlank() ? "" : "." + id.strip();
            String host = site.getOrDefault(
                    "yarn.resourcemanager.hostname" + suffix,
                    site.getOrDefault("yarn.resourcemanager.hostname", "localhost"));
            String fallback = host + (secure ? ":8090" : ":8088");
            String key = "yarn.resourcemanager.webapp." + (secure ? "https.address" : "address") + suffix;
            String address = site.getOrDefault(key, fallback)
                    .replace("${yarn.resourcemanager.hostname}", host)
                    .replace("0.0.0.0", "localhost");
            addresses.add((secure ? "https://" : "http://") + address);
        }
        return addresses;
    }

    /** Asks; an answer that does not come is an answer, too. */
    Answer ask() throws InterruptedException {
        try {
            JsonNode yarn = read("/ws/v1/cluster/info").path("clusterInfo");
            String about = address + ": Hadoop " + yarn.path("hadoopVersion").asText("of an unknown version") + ", "
                    + yarn.path("haState").asText("ACTIVE").toLowerCase(Locale.ROOT);
            HttpResponse<String> optimus = get("/ws/v1/optimus");
            if (optimus.statusCode() == NOT_FOUND) {
                return new Answer(false, List.of(about + ". Optimus is OFF, or its REST is: " + scheduler() + "."));
            }
            JsonNode info = json(optimus);
            String mode = info.path("mode").asText();
            List<String> lines = new ArrayList<>();
            lines.add(about + ". Optimus " + info.path("version").asText("of an unknown version") + " is "
                    + switch (mode) {
                        case "enforce" -> "ON: its plans are carried out (mode enforce)";
                        case "advise" -> "in mode ADVISE: its plans are only shown";
                        default -> "OFF (mode " + mode + ")";
                    }
                    + ", policy " + info.path("policy").asText() + ", jobs "
                    + info.path("jobs").asText() + ", rounds "
                    + info.path("rounds").asText() + ".");
            info.path("problems").forEach(problem -> lines.add("  Problem: " + problem.asText()));
            return new Answer(!mode.equals("off") && info.path("problems").isEmpty(), lines);
        } catch (IOException e) {
            return new Answer(false, List.of(address + ": " + e.getMessage()));
        }
    }

    /** The class that runs, as far as the ResourceManager tells. */
    private String scheduler() throws InterruptedException {
        try {
            return "the ResourceManager runs "
                    + read("/conf?format=json&name=" + Verdict.SCHEDULER)
                            .path("property")
                            .path("value")
                            .asText("a scheduler that it does not name");
        } catch (IOException e) {
            return "the ResourceManager does not say which scheduler it runs";
        }
    }

    private JsonNode read(String path) throws IOException, InterruptedException {
        return json(get(path));
    }

    private JsonNode json(HttpResponse<String> response) throws IOException {
        if (response.statusCode() == NOT_AUTHENTICATED) {
            throw new IOException("asks who you are. With Kerberos: curl --negotiate -u : " + response.uri());
        }
        if (response.statusCode() != OK) {
            throw new IOException(
                    "answers " + response.statusCode() + " to " + response.uri().getPath());
        }
        try {
            return new ObjectMapper().readTree(response.body());
        } catch (IOException e) {
            throw new IOException(
                    "answers no JSON to " + response.uri().getPath() + ": is this a ResourceManager's web address?", e);
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(PATIENCE)
                .header("Accept", "application/json")
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(
                    "does not answer (" + e.getClass().getSimpleName() + "). Is the ResourceManager up?", e);
        }
    }
}
