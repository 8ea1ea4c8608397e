package io.optimus.local;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.ElasticCoordinator;
import io.optimus.am.coordinator.TrainingEventHandler;
import io.optimus.am.coordinator.TrainingSettings;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.HadoopCheckpointStore;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** The coordinator of a job without YARN, whose checkpoints are on this machine. */
public final class LocalCoordinator implements Closeable {
    private static final int ATTEMPT = 1;
    /** A machine that does much else at the same time must not end the job. */
    private static final long SILENCE_MILLIS = 120_000;

    private static final TrainingSettings.Timing DEFAULT = TrainingSettings.Timing.DEFAULT;
    private static final TrainingSettings.Timing TIMING = new TrainingSettings.Timing(
            DEFAULT.heartbeatMillis(),
            SILENCE_MILLIS,
            SILENCE_MILLIS,
            DEFAULT.stepMillis(),
            DEFAULT.betweenEpochsMillis(),
            DEFAULT.reportMillis(),
            DEFAULT.speedWindowMillis(),
            DEFAULT.storeMillis());

    private final ElasticCoordinator coordinator;

    private LocalCoordinator(ElasticCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** A coordinator whose events nobody hears. */
    public static LocalCoordinator of(JobSpec spec, JobSecret secret, Path folder) throws IOException {
        return of(spec, secret, folder, new JobEnd());
    }

    /** A coordinator whose events {@code listener} waits for. */
    public static LocalCoordinator of(JobSpec spec, JobSecret secret, Path folder, PauseListener listener)
            throws IOException {
        return of(spec, secret, folder, (CoordinatorListener) listener);
    }

    static LocalCoordinator of(JobSpec spec, JobSecret secret, Path folder, CoordinatorListener listener)
            throws IOException {
        HadoopCheckpointStore store = new HadoopCheckpointStore(
                FileSystem.getLocal(new Configuration()),
                new org.apache.hadoop.fs.Path(folder.resolve("checkpoints").toUri()));
        TrainingSettings settings = new TrainingSettings(
                TrainingSettings.Steps.of(spec),
                spec.stop(),
                spec.targetAccuracy(),
                new Allocation(
                        spec.role(Role.PARAMETER_SERVER).min(),
                        spec.role(Role.WORKER).min()),
                spec.checkpoint(),
                TIMING.withLimits(spec.stepTimeoutSeconds(), spec.evaluationTimeoutSeconds()),
                TrainingSettings.Batches.of(spec.batch()));
        return new LocalCoordinator(new ElasticCoordinator(
                secret,
                PortRange.ANY,
                settings.welcome(),
                (connected, events) ->
                        new TrainingEventHandler(settings, ATTEMPT, store, listener, connected, events)));
    }

    /** Listens. */
    public void start() throws IOException {
        coordinator.start();
    }

    /** The port at which tasks reach it. */
    public int port() {
        return coordinator.port();
    }

    /** Trains with these tasks as soon as all have connected. */
    public void target(Set<TaskId> tasks) {
        coordinator.target(tasks);
    }

    /** Ends it, and with it the tasks. */
    @Override
    public void close() {
        coordinator.close();
    }
}
