package io.optimus.am.master.scheduler;

import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;

/** The scheduler's training service; calls block and throw as {@code TrainingProtocolClient} says. */
public interface SchedulerCalls {
    RegisterJobResponseProto register(RegisterJobRequestProto request) throws IOException;

    ReportResponseProto report(ReportRequestProto request) throws IOException;

    void finish(FinishJobRequestProto request) throws IOException;
}
