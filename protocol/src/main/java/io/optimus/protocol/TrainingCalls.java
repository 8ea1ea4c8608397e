package io.optimus.protocol;

import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;
import org.apache.hadoop.io.retry.Idempotent;

/** The calls of the protocol with checked exceptions that Hadoop's retry policies understand. */
interface TrainingCalls {
    // All three may be repeated: a registration replaces the last one, reports carry a sequence number, finishing is
    // final.
    @Idempotent
    RegisterJobResponseProto registerJob(RegisterJobRequestProto request) throws IOException;

    @Idempotent
    ReportResponseProto report(ReportRequestProto request) throws IOException;

    @Idempotent
    FinishJobResponseProto finishJob(FinishJobRequestProto request) throws IOException;
}
