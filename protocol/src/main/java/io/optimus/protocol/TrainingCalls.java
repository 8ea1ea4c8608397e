package io.optimus.protocol;

import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;
import org.apache.hadoop.io.retry.Idempotent;

/** The protocol's calls with checked exceptions of their own, so that Hadoop's retry policies understand them. */
interface TrainingCalls {
    // All three may be sent again: registering replaces, reports carry a sequence number, finishing twice is finishing.
    @Idempotent
    RegisterJobResponseProto registerJob(RegisterJobRequestProto request) throws IOException;

    @Idempotent
    ReportResponseProto report(ReportRequestProto request) throws IOException;

    @Idempotent
    FinishJobResponseProto finishJob(FinishJobRequestProto request) throws IOException;
}
