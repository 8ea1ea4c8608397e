package io.optimus.am.master;

import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Calls a real scheduler; the client is made with the first call, whose caller hears why it cannot be. */
final class RpcSchedulerCalls implements SchedulerCalls, AutoCloseable {
    private final Configuration configuration;
    private @Nullable TrainingProtocolClient client;

    RpcSchedulerCalls(Configuration configuration) {
        this.configuration = configuration;
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
