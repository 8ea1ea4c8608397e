package io.optimus.am.client.command;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.client.cluster.OrderClient;
import io.optimus.am.client.cluster.RestOrderClient;
import io.optimus.am.client.cluster.RestSchedulerClient;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.cluster.YarnClusterClient;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** What the commands use besides their arguments: the cluster, the scheduler, environment variables, time. */
public interface ClientEnvironment {
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

    /** The environment of this process. */
    final class OfProcess implements ClientEnvironment {
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
        public long nowMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        }
    }
}
