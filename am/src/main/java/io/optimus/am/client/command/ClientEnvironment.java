package io.optimus.am.client.command;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.cluster.RestOrderClient;
import io.optimus.am.client.cluster.RestSchedulerClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.YarnClusterClient;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** What the commands use besides their arguments: the cluster, the scheduler, environment variables, time. */
public interface ClientEnvironment {
    /**
     * How long a command waits for a ResourceManager that does not answer: a restart or a failover takes minutes at most.
     */
    long LONGEST_SILENCE_MILLIS = 30 * 60_000;

    /** A client of the cluster; it fails at the first call if there is no cluster. */
    ClusterClient cluster(Configuration configuration);

    /** A client of the scheduler. */
    SchedulerClient scheduler(Configuration configuration);

    /** Gives the scheduler orders. */
    OrderClient orders(Configuration configuration);

    /** The value of an environment variable, or null if it is not set. */
    @Nullable
    String variable(String name);

    /** Waits before the next question about a job. */
    void pause() throws InterruptedException;

    /** Milliseconds since a fixed moment, for measuring durations. */
    long nowMillis();

    /** The columns of the terminal that shows what is printed; 0 if that goes to a file or another program. */
    int columns();

    /** The terminal, for a command that draws on all of it; empty if there is none. The caller closes it. */
    Optional<Terminal> terminal();

    /** The environment of this process. */
    final class OfProcess implements ClientEnvironment {
        private static final long PAUSE_MILLIS = 1_000;

        /** Of a terminal that does not say. */
        private static final int USUAL_COLUMNS = 80;

        @Override
        public ClusterClient cluster(Configuration configuration) {
            return YarnClusterClient.connect(configuration);
        }

        @Override
        public SchedulerClient scheduler(Configuration configuration) {
            return new RestSchedulerClient(configuration);
        }

        @Override
        public OrderClient orders(Configuration configuration) {
            return new RestOrderClient(configuration);
        }

        @Override
        public @Nullable String variable(String name) {
            return System.getenv(name);
        }

        @Override
        public void pause() throws InterruptedException {
            Thread.sleep(PAUSE_MILLIS);
        }

        @Override
        public int columns() {
            if (!isTerminal()) {
                return 0;
            }
            // Shells set this variable, but seldom export it.
            String said = System.getenv("COLUMNS");
            return said != null && said.matches("[1-9][0-9]{0,3}") ? Integer.parseInt(said) : askTerminal();
        }

        private static int askTerminal() {
            try {
                Process stty = new ProcessBuilder("stty", "size")
                        .redirectInput(ProcessBuilder.Redirect.INHERIT)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
                return size.matches("[0-9]+ [1-9][0-9]{0,3}")
                        ? Integer.parseInt(size.substring(size.indexOf(' ') + 1))
                        : USUAL_COLUMNS;
            } catch (IOException none) {
                return USUAL_COLUMNS;
            }
        }

        @Override
        public Optional<Terminal> terminal() {
            if (!isTerminal()) {
                return Optional.empty();
            }
            try {
                // By the program stty: Hadoop's JLine is of 2018, and its native code does not know newer machines.
                return Optional.of(TerminalBuilder.builder()
                        .system(true)
                        .jna(false)
                        .jansi(false)
                        .dumb(false)
                        .build());
            } catch (IOException | IllegalStateException none) {
                return Optional.empty();
            }
        }

        /** Java 22 and newer have a console that is no terminal; older ones have none then. */
        @SuppressWarnings("SystemConsoleNull")
        private static boolean isTerminal() {
            Console console = System.console();
            if (console == null) {
                return false;
            }
            try {
                return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
            } catch (ReflectiveOperationException beforeJava22) {
                return true;
            }
        }

        @Override
        public long nowMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    }
}
