package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.Await;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jline.terminal.Size;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class TopCommandTest {
    private static final String JOBS =
            "/jobs?limit=1000&fields=id,name,user,queue,state,submittedMillis,waitingSinceMillis,step,"
                    + "loss,allocation,planned,stepsPerSecond,remainingSeconds,remainingTime,reason";

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    private final FakeClusterClient cluster = new FakeClusterClient();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final ByteArrayOutputStream drawn = new ByteArrayOutputStream();

    @Before
    public void answer() {
        cluster.answers.put("", "{\"mode\":\"enforce\",\"plan\":7,\"pause\":null}");
        cluster.answers.put(
                "/queues",
                "{\"queues\":[{\"held\":{\"yarn.io/gpu\":2},\"most\":{\"yarn.io/gpu\":6},\"ordinaryUsed\":{\"yarn.io/gpu\":1}}]}");
        cluster.answers.put(
                JOBS,
                "{\"next\":null,\"jobs\":["
                        + "{\"id\":\"application_1_0001\",\"name\":\"first\",\"state\":\"running\",\"submittedMillis\":1,"
                        + "\"waitingSinceMillis\":null,\"remainingSeconds\":600,\"remainingTime\":\"10 min\","
                        + "\"allocation\":{\"parameterServers\":1,\"workers\":2},"
                        + "\"planned\":{\"parameterServers\":1,\"workers\":3},\"reason\":\"It grows.\"},"
                        + "{\"id\":\"application_1_0002\",\"name\":\"second\",\"state\":\"waiting\",\"submittedMillis\":2,"
                        + "\"waitingSinceMillis\":5,\"remainingSeconds\":null,\"remainingTime\":null,"
                        + "\"allocation\":{\"parameterServers\":0,\"workers\":0},\"planned\":null,\"reason\":\"No GPU.\"}]}");
    }

    @Test
    public void printsTheJobsOnceWithoutATerminal() {
        assertThat(run("top")).isZero();

        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .isEqualTo("Optimus: mode enforce, plan 7; training jobs: 2, of which 1 wait"),
                        line -> assertThat(line)
                                .isEqualTo("GPUs: training holds 2, other applications of its queues hold 1"),
                        line -> assertThat(line).startsWith("id").endsWith("why"),
                        line -> assertThat(line)
                                .containsSubsequence("0001", "first", "1 ps 2 w", "1 ps 3 w", "10 min", "It grows."),
                        line -> assertThat(line).containsSubsequence("0002", "second", "none", "-", "No GPU."));
    }

    @Test
    public void putsTheJobThatWaitsLongestFirst() {
        assertThat(run("top", "--once", "--order", "waiting")).isZero();

        assertThat(out.toString()).containsSubsequence("second", "first");
    }

    @Test
    public void drawsOnATerminalAndEndsAtAKey() throws IOException {
        terminal(new ByteArrayInputStream("oq".getBytes(StandardCharsets.US_ASCII)), new Size(88, 10));

        assertThat(run("top")).isZero();
        assertThat(drawn.toString(StandardCharsets.UTF_8))
                .contains("Order: submitted; jobs 1 to 2 of 2", "10 min", "end")
                .doesNotContain("It grows.");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    public void goesOnWhileTheSchedulerDoesNotAnswer() throws Exception {
        PipedOutputStream keys = new PipedOutputStream();
        terminal(new PipedInputStream(keys), new Size(120, 20));
        CountDownLatch ended = new CountDownLatch(1);
        Thread user = new Thread(() -> {
            try {
                Await.until("the jobs are drawn", () -> shown("Order"));
                // A key that means nothing.
                keys.write('x');
                keys.flush();
                cluster.answers.remove("/queues");
                Await.until("the lost answer is drawn", () -> shown("No answer since"));
                answer();
                keys.write('q');
                keys.flush();
                // A pipe whose writer has ended is broken.
                ended.await();
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        user.start();

        assertThat(run("top", "--every", "1")).isZero();
        ended.countDown();
        user.join();
    }

    @Test
    public void refusesAnIntervalOutOfItsRange() {
        assertThat(run("top", "--every", "0")).isEqualTo(2);

        assertThat(err.toString()).contains("--every is from 1 to 3600 seconds, not 0");
    }

    private boolean shown(String text) {
        return drawn.toString(StandardCharsets.UTF_8).contains(text);
    }

    private void terminal(InputStream keys, Size size) throws IOException {
        ExternalTerminal terminal = new ExternalTerminal("test", "xterm", keys, drawn, StandardCharsets.UTF_8);
        terminal.setSize(size);
        cluster.terminal = Optional.of(terminal);
    }

    private int run(String... arguments) {
        return OptimusCommand.run(cluster, new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
