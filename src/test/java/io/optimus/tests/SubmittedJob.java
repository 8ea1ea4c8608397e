package io.optimus.tests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A training job with all its processes, submitted with the command that users type. */
final class SubmittedJob {
    private static final Pattern APPLICATION = Pattern.compile("application_\\d+_\\d+");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final YarnClient yarn;
    private final ApplicationId id;
    private final Path output;

    private SubmittedJob(YarnClient yarn, ApplicationId id, Path output) {
        this.yarn = yarn;
        this.id = id;
        this.output = output;
    }

    /** The exit code of a command, and what it printed. */
    record CommandOutput(int exit, String text) {}

    /** Runs {@code yarn jar optimus-am.jar} with {@code words} on {@code cluster}. */
    static CommandOutput command(Cluster cluster, Path folder, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                cluster.configurationFolder() + ":" + TrainingCluster.classPath(),
                "org.apache.hadoop.util.RunJar",
                System.getProperty("optimus.am.jar")));
        command.addAll(List.of(words));
        return Script.run(folder, command);
    }

    /** Submits a job file with the text {@code yaml}. */
    static SubmittedJob submit(Cluster cluster, String name, String yaml) throws Exception {
        Path folder = Files.createDirectories(cluster.folder().resolve(name));
        return submit(cluster, Files.writeString(folder.resolve(name + ".yaml"), yaml), List.of());
    }

    /** Submits a job file, with {@code overrides} of its keys; the result goes to the folder {@code output} beside it. */
    static SubmittedJob submit(Cluster cluster, Path file, List<String> overrides) throws Exception {
        Path folder = file.resolveSibling("");
        Path output = folder.resolve("output");
        List<String> words = new ArrayList<>(List.of("submit", file.toString(), "--set", "output=" + output.toUri()));
        overrides.forEach(override -> words.addAll(List.of("--set", override)));
        CommandOutput submission = command(cluster, folder, words.toArray(String[]::new));
        Matcher found = APPLICATION.matcher(submission.text());
        if (submission.exit() != 0 || !found.find()) {
            throw new AssertionError("Not submitted, exit " + submission.exit() + ": " + submission.text());
        }
        return new SubmittedJob(cluster.client(), ApplicationId.fromString(found.group()), output);
    }

    ApplicationId id() {
        return id;
    }

    /** The status that its ApplicationMaster reports; an empty object while it does not answer. */
    JsonNode status() throws Exception {
        String url = yarn.getApplicationReport(id).getOriginalTrackingUrl();
        if (url == null || !url.startsWith("http")) {
            return JSON.createObjectNode();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(url.replaceAll("/$", "") + "/api/status"))
                .timeout(Duration.ofSeconds(10))
                .build();
        try {
            HttpResponse<String> answer =
                    HTTP.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            return answer.statusCode() == 200 ? JSON.readTree(answer.body()) : JSON.createObjectNode();
        } catch (IOException e) {
            return JSON.createObjectNode();
        }
    }

    int workers() throws Exception {
        return status().path("allocation").path("workers").asInt();
    }

    int parameterServers() throws Exception {
        return status().path("allocation").path("parameterServers").asInt();
    }

    /** The container ids of the members by task. */
    Map<String, String> members() throws Exception {
        Map<String, String> members = new TreeMap<>();
        for (JsonNode task : status().path("tasks")) {
            if (task.path("state").asText().equals("member")) {
                members.put(task.path("task").asText(), task.path("container").asText());
            }
        }
        return members;
    }

    /** The container id of the current ApplicationMaster. */
    String master() throws Exception {
        return yarn.getApplicationAttemptReport(yarn.getApplicationReport(id).getCurrentApplicationAttemptId())
                .getAMContainerId()
                .toString();
    }

    /** Kills the process in {@code container}, as {@code kill -9} does. */
    static void killProcess(String container) {
        ProcessHandle process = processes(container)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No process runs in " + container));
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Sends the process in {@code container} a signal, such as {@code STOP}. */
    static void signal(String container, String signal) throws Exception {
        long pid = processes(container)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No process runs in " + container))
                .pid();
        int exit = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid))
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("kill -" + signal + " " + pid + " ended with " + exit);
        }
    }

    /** The Java processes in containers whose id begins with {@code prefix}; each runs in a folder of that name. */
    static Stream<ProcessHandle> processes(String prefix) {
        return ProcessHandle.allProcesses()
                .filter(process -> link(process, "exe").endsWith("java"))
                .filter(process -> link(process, "cwd").getFileName().toString().startsWith(prefix));
    }

    private static Path link(ProcessHandle process, String name) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", String.valueOf(process.pid()), name));
        } catch (IOException gone) {
            return Path.of("gone");
        }
    }

    boolean ended() throws Exception {
        YarnApplicationState state = yarn.getApplicationReport(id).getYarnApplicationState();
        return state == YarnApplicationState.FINISHED
                || state == YarnApplicationState.FAILED
                || state == YarnApplicationState.KILLED;
    }

    /** Waits for success and returns the job's {@code result.json}. */
    JsonNode result(Duration limit) throws Exception {
        Await.until("the job ends", limit, this::ended);
        ApplicationReport report = yarn.getApplicationReport(id);
        if (report.getFinalApplicationStatus() != FinalApplicationStatus.SUCCEEDED) {
            throw new AssertionError(id + " " + report.getFinalApplicationStatus() + ": " + report.getDiagnostics());
        }
        return JSON.readTree(output.resolve("result.json").toFile());
    }

    /** The folder with the trained model and the result. */
    Path output() {
        return output;
    }

    void kill() throws Exception {
        yarn.killApplication(id);
        Await.until("the job is killed", this::ended);
    }
}
