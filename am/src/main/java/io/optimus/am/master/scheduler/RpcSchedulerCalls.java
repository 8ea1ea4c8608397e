package io.optimus.am.master.scheduler;

import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/** Calls a real scheduler. The first call makes the client, so that its caller gets the error if that fails. */
public final class RpcSchedulerCalls implements SchedulerLink.Calls, AutoCloseable {
    /**
     * YARN's clients give up after a quarter of an hour. These calls give up sooner: the link calls again by itself, and a
     * new job that stops waiting for the scheduler can say why.
     */
    private static final long LONGEST_WAIT_MILLIS = 5_000;

    private static final long RETRY_MILLIS = 1_000;

    private final Configuration configuration;
    private @Nullable TrainingProtocolClient client;

    /** Makes no client yet. */
    public RpcSchedulerCalls(Configuration configuration) {
        this.configuration = new Configuration(configuration);
        long wait = configuration.getLong(
                YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS,
                YarnConfiguration.DEFAULT_RESOURCEMANAGER_CONNECT_MAX_WAIT_MS);
        this.configuration.setLong(
                YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS,
                wait < 0 ? LONGEST_WAIT_MILLIS : Math.min(wait, LONGEST_WAIT_MILLIS));
        this.configuration.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
    }

    @Override
    public RegisterJobResponseProto register(RegisterJobRequestProto request) throws IOException {
        return client().registerJob(request);
    }

    @Override
    public ReportResponseProto report(ReportRequestProto request) throws IOException {
        return client().report(request);
    }

    @Override
    public void finish(FinishJobRequestProto request) throws IOException {
        client().finishJob(request);
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
        }
    }

    private synchronized TrainingProtocolClient client() throws IOException {
        if (client == null) {
            client = TrainingProtocolClient.create(configuration);
        }
        return client;
    }
}
