package io.optimus.am.client;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.RestSchedulerClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.YarnClusterClient;
import io.optimus.am.configuration.ClientKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ClassUtil;
import org.jspecify.annotations.Nullable;

/** What the command touches besides its arguments: the cluster, the scheduler, the environment, time. */
interface ClientEnvironment {
    /** Connects to the cluster; fails at the first call where there is none. */
    ClusterClient cluster(Configuration configuration);

    /** The scheduler's own view of jobs. */
    SchedulerClient scheduler(Configuration configuration);

    /** An environment variable. */
    @Nullable
    String variable(String name);

    /** Waits between two looks at a job. */
    void pause() throws InterruptedException;

    /** Time that only grows, for how long something takes. */
    long nowMillis();

    /** The jar to send with jobs. */
    static Path jar(Configuration configuration) throws IOException {
        Optional<String> given = ClientKeys.JAR.in(configuration);
        if (given.isPresent()) {
            return Path.of(given.get()).toAbsolutePath();
        }
        String own = ClassUtil.findContainingJar(ClientEnvironment.class);
        if (own == null) {
            throw new IOException("This command does not run from a jar, so it has none to send: name"
                    + " optimus-am.jar with -D " + ClientKeys.JAR.key() + "=…");
        }
        return Path.of(own);
    }

    /** The real ones. */
    final class Real implements ClientEnvironment {
        private static final long PAUSE_MILLIS = 1_000;

        @Override
        public ClusterClient cluster(Configuration configuration) {
            return YarnClusterClient.connect(configuration);
        }

        @Override
        public SchedulerClient scheduler(Configuration configuration) {
            return new RestSchedulerClient(configuration);
        }

        @Override
        public @Nullable String variable(String name) {
            return System.getenv(name);
        }

        @Override
        public void pause() throws InterruptedException {
            // Between two looks at an application that is waited for; an interrupt ends the waiting.
            Thread.sleep(PAUSE_MILLIS);
        }

        @Override
        public long nowMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    }
}
