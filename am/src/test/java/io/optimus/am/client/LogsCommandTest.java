package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.optimus.am.client.cluster.ApplicationSummary.Outcome;
import io.optimus.am.client.cluster.ClusterClient.MasterContainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Reads logs from a server that answers as the ApplicationMaster and as a NodeManager. */
public final class LogsCommandTest {
    private static final String WORKER = "container_1700000000000_0001_01_000003";
    private static final String MASTER = "container_1700000000000_0001_01_000001";

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final FakeClusterClient cluster = new FakeClusterClient();
    private final Map<String, String> outputs = new ConcurrentHashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private HttpServer server;

    @Before
    public void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        String address = "http://localhost:" + server.getAddress().getPort();
        cluster.trackingUrl = address;
        cluster.masters.add(new MasterContainer(1, MASTER, "a:1", address));
        cluster.state("RUNNING", Outcome.OPEN, "");
        outputs.put(WORKER, "one\ntwo\nthree\n");
        outputs.put(MASTER, "plan 1\n");
    }

    @After
    public void stop() {
        server.stop(0);
    }

    @Test
    public void printsTheOutputOfAllProcessesThatRun() {
        assertThat(logs()).isZero();

        assertThat(out.toString())
                .contains("==> worker-0 stderr on a:1, " + WORKER + " <==\none\ntwo\nthree\n")
                .contains("==> master-1 stderr on a:1, " + MASTER + " <==\nplan 1\n");
    }

    @Test
    public void printsOnlyTheChosenProcess() {
        assertThat(logs("--role", "worker", "--index", "0")).isZero();

        assertThat(out.toString()).contains("three").doesNotContain("plan 1");
    }

    @Test
    public void printsOnlyTheLastLines() {
        assertThat(logs("--role", "worker", "--tail", "2")).isZero();

        assertThat(out.toString()).contains("<==\ntwo\nthree\n").doesNotContain("one");
    }

    @Test
    public void followsUntilTheJobEnds() {
        cluster.pauses.add(() -> outputs.put(WORKER, "one\ntwo\nthree\nfour\n"));
        cluster.pauses.add(() -> outputs.put(WORKER, "one\ntwo\nthree\nfour\nfive\n"));

        assertThat(logs("--role", "worker", "--tail", "0", "--follow")).isZero();

        assertThat(out.toString())
                .contains("<==\nfour\nfive\n")
                .contains("has ended: SUCCEEDED")
                .doesNotContain("three");
    }

    @Test
    public void followsOverARestartOfTheResourceManagerAndJoinsWhatComesInParts() {
        outputs.put(WORKER, "");
        cluster.pauses.add(() -> outputs.put(WORKER, "loss 0.5 in 3 µ"));
        cluster.pauses.add(() -> cluster.away = true);
        cluster.pauses.add(() -> outputs.put(WORKER, "loss 0.5 in 3 µs\nnext"));
        cluster.pauses.add(() -> cluster.away = false);

        assertThat(logs("--role", "worker", "--follow")).isZero();

        assertThat(out.toString()).contains("<==\nloss 0.5 in 3 µs\nnext\n==> " + FakeClusterClient.ID + " has ended");
        assertThat(err.toString()).contains("Connection refused");
    }

    @Test
    public void printsTheLastWordsOfAJobThatEndsWhileItFollows() {
        cluster.pauses.add(() -> {
            outputs.put(WORKER, "one\ntwo\nthree\nRuntimeError: shapes differ\n");
            cluster.state("FINISHED", Outcome.FAILED, "");
        });

        assertThat(logs("--follow")).isZero();

        assertThat(out.toString()).contains("RuntimeError: shapes differ\n==> " + FakeClusterClient.ID + " has ended");
    }

    @Test
    public void printsTheOthersWhereANodeIsDown() {
        cluster.masters.clear();
        cluster.masters.add(new MasterContainer(1, MASTER, "b:1", "http://localhost:1"));

        assertThat(logs()).isZero();

        assertThat(out.toString()).contains("three");
        assertThat(err.toString()).contains("Connection refused");
    }

    @Test
    public void saysThatThereIsNoSuchProcess() {
        assertThat(logs("--role", "ps")).isEqualTo(1);

        assertThat(err.toString()).contains("no such process now");
    }

    @Test
    public void saysWhatToDoWhereNoLogsOfEndedJobsAreKept() {
        cluster.state("FINISHED", Outcome.SUCCEEDED, "");

        assertThat(logs("--role", "master")).isEqualTo(1);

        assertThat(err.toString()).contains("Log aggregation is off here (yarn.log-aggregation-enable)");
    }

    private int logs(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "logs";
        arguments[1] = FakeClusterClient.ID;
        System.arraycopy(options, 0, arguments, 2, options.length);
        return OptimusCommand.run(cluster, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private void answer(HttpExchange exchange) throws IOException {
        boolean isJson = !"text/plain".equals(exchange.getRequestHeaders().getFirst("Accept"));
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        String body;
        if (exchange.getRequestURI().getPath().equals("/api/status")) {
            body = "{\"tasks\":[{\"task\":\"worker-0\",\"container\":\"" + WORKER + "\",\"node\":\"a:1\",\"log\":\""
                    + cluster.trackingUrl + "/node/containerlogs/x\"}]}";
        } else if (path[path.length - 1].equals("logs")) {
            body = "{\"containerLogsInfo\":{\"containerLogInfo\":[{\"fileName\":\"stderr\",\"fileSize\":\""
                    + output(path[5]).length() + "\"},{\"fileName\":\"prelaunch.out\",\"fileSize\":\"7\"}]}}";
        } else {
            String text = output(path[5]);
            int asked = Integer.parseInt(exchange.getRequestURI().getQuery().replaceAll("size=-(\\d+).*", "$1"));
            body = "Container: " + path[5] + "\nLogType:stderr\nLogLength:" + text.length() + "\nLogContents:\n"
                    + text.substring(Math.max(0, text.length() - asked)) + "\nEnd of LogType:stderr\n";
        }
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        // As YARN: a log is plain text, all else is JSON.
        boolean isOffered =
                isJson == body.startsWith("{") || exchange.getRequestMethod().equals("OPTIONS");
        exchange.sendResponseHeaders(isOffered ? 200 : 503, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Its bytes, each as a character. */
    private String output(String container) {
        return new String(
                outputs.getOrDefault(container, "").getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
