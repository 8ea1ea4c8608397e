package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.ElasticCoordinator;
import io.optimus.am.coordinator.TrainingSettings;
import io.optimus.am.job.JobSpec;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.PortRange;
import io.optimus.model.Allocation;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process that YARN starts for a training job. */
public final class ApplicationMaster {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationMaster.class);
    /** YARN kills processes that take their time to end; by default it waits no longer than a quarter of a second. */
    private static final Duration LAST_MOMENTS = Duration.ofSeconds(5);

    private ApplicationMaster() {}

    /**
     * Runs the job that the environment names. Exits with 0 when its end was reported to YARN, whatever it was; otherwise
     * with 1, and YARN may start another attempt.
     */
    public static void main(String[] arguments) {
        CompletableFuture<AttemptOutcome> outcome = new CompletableFuture<>();
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endByOrder(outcome, done), "end-by-order"));
        int status = run(outcome);
        done.countDown();

        System.exit(status);
    }

    private static int run(CompletableFuture<AttemptOutcome> outcome) {
        try {
            MasterEnvironment environment = MasterEnvironment.of(System.getenv());
            AttemptOutcome end =
                    new Master(new YarnConfiguration(), environment, ApplicationMaster::coordinator, outcome).run();
            return end instanceof AttemptOutcome.Trained || end instanceof AttemptOutcome.Failed ? 0 : 1;
        } catch (IOException | YarnException | RuntimeException e) {
            LOG.error("The ApplicationMaster cannot go on", e);
            return 1;
        }
    }

    private static void endByOrder(CompletableFuture<AttemptOutcome> outcome, CountDownLatch done) {
        outcome.complete(new AttemptOutcome.Killed("killed: the ApplicationMaster was told to end"));
        try {
            if (!done.await(LAST_MOMENTS.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Not everything has ended within {} s", LAST_MOMENTS.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Coordinator coordinator(
            JobSpec spec,
            int attempt,
            JobSecret secret,
            CheckpointStore checkpoints,
            PortRange ports,
            CoordinatorListener listener)
            throws IOException {
        TrainingSettings settings = new TrainingSettings(
                spec.mode(),
                spec.globalBatch(),
                spec.seed(),
                spec.optimizer(),
                spec.stop(),
                new Allocation(spec.parameterServer().min(), spec.worker().min()),
                spec.checkpoint(),
                TrainingSettings.Timing.DEFAULT);
        return new ElasticCoordinator(settings, secret, attempt, checkpoints, ports, listener);
    }
}
