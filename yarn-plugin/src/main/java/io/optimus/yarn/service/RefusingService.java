package io.optimus.yarn.service;

import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.util.List;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Tells every job that this cluster does not serve training, and why: {@link Reason#NOT_SERVED}. */
public final class RefusingService implements TrainingProtocol {
    private final String why;

    /** Refuses every job with these problems, each with its remedy. */
    public RefusingService(List<String> problems) {
        this.why = String.join(" ", problems);
    }

    @Override
    public RegisterJobResponseProto registerJob(RpcController controller, RegisterJobRequestProto request)
            throws ServiceException {
        throw refusal();
    }

    @Override
    public ReportResponseProto report(RpcController controller, ReportRequestProto request) throws ServiceException {
        throw refusal();
    }

    @Override
    public FinishJobResponseProto finishJob(RpcController controller, FinishJobRequestProto request)
            throws ServiceException {
        throw refusal();
    }

    private ServiceException refusal() {
        return new ServiceException(new TrainingRefusedException(Reason.NOT_SERVED, why));
    }
}
