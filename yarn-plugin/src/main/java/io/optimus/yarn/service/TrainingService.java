package io.optimus.yarn.service;

import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.ReportSummary;
import io.optimus.yarn.validation.DemandLimits;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers training jobs: identifies the caller by its token, updates the registry, and returns the directive. */
public final class TrainingService implements TrainingProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(TrainingService.class);

    private final Supplier<OptimusConfiguration> configuration;
    private final Applications applications;
    private final DemandLimits limits;
    private final JobRegistry registry;
    private final Directives directives;
    private final Listener listener;

    /** Called when jobs register, report or end, on the server's threads; must return at once. */
    public interface Listener {
        /** A job registered, for the first time or again; {@code plan} is the last one that it carried out. */
        void registered(ApplicationId application, long plan);

        void reported(ApplicationId application, ReportSummary summary);

        void finished(ApplicationId application);
    }

    /**
     * A service for jobs.
     *
     * @param configuration the settings in force, asked for at each call
     */
    public TrainingService(
            Supplier<OptimusConfiguration> configuration,
            Applications applications,
            DemandLimits limits,
            JobRegistry registry,
            Directives directives,
            Listener listener) {
        this.configuration = configuration;
        this.applications = applications;
        this.limits = limits;
        this.registry = registry;
        this.directives = directives;
        this.listener = listener;
    }

    @Override
    public RegisterJobResponseProto registerJob(RpcController controller, RegisterJobRequestProto request)
            throws ServiceException {
        try {
            ApplicationFacts caller = Caller.identify(applications);
            registry.register(caller, limits, request);
            ApplicationId id = caller.attempt().getApplicationId();
            forgetIfEnded(id);
            LOG.info(
                    "job registered attempt={} name={} mode={} step={} plan={}",
                    caller.attempt(),
                    request.getName(),
                    request.getMode(),
                    request.getCurrentStep(),
                    request.getPlan());
            listener.registered(id, request.getPlan());
            RegisterJobResponseProto.Builder response = RegisterJobResponseProto.newBuilder()
                    .setVersion(VERSION)
                    .setReportIntervalMillis(configuration.get().service().reportIntervalMillis())
                    .setSchedulerMode(configuration.get().mode().word());
            directive(id).ifPresent(response::setDirective);
            return response.build();
        } catch (TrainingRefusedException e) {
            throw new ServiceException(e);
        }
    }

    @Override
    public ReportResponseProto report(RpcController controller, ReportRequestProto request) throws ServiceException {
        try {
            ApplicationFacts caller = Caller.identify(applications);
            ApplicationId id = caller.attempt().getApplicationId();
            Optional<ReportSummary> summary = registry.report(caller, request);
            summary.ifPresent(changes -> listener.reported(id, changes));
            ReportResponseProto.Builder response = ReportResponseProto.newBuilder()
                    .setReportIntervalMillis(configuration.get().service().reportIntervalMillis())
                    .setSchedulerMode(configuration.get().mode().word())
                    .setRegisterAgain(summary.isEmpty());
            directive(id).ifPresent(response::setDirective);
            return response.build();
        } catch (TrainingRefusedException e) {
            throw new ServiceException(e);
        }
    }

    @Override
    public FinishJobResponseProto finishJob(RpcController controller, FinishJobRequestProto request)
            throws ServiceException {
        try {
            ApplicationFacts caller = Caller.identify(applications);
            registry.finish(caller, request);
            LOG.info(
                    "job finished attempt={} converged={} step={}",
                    caller.attempt(),
                    request.getConverged(),
                    request.getFinalStep());
            listener.finished(caller.attempt().getApplicationId());
            return FinishJobResponseProto.getDefaultInstance();
        } catch (TrainingRefusedException e) {
            throw new ServiceException(e);
        }
    }

    /** Removes the job if its application ended while it registered: no event would remove it later. */
    private void forgetIfEnded(ApplicationId id) throws TrainingRefusedException {
        if (applications.find(id).isEmpty()) {
            registry.remove(id);
            throw new TrainingRefusedException(
                    Reason.NOT_CURRENT_ATTEMPT, id + " has ended meanwhile. Remedy: end its ApplicationMaster");
        }
    }

    private Optional<DirectiveProto> directive(ApplicationId application) {
        return configuration.get().mode() == SchedulerMode.ENFORCE ? directives.of(application) : Optional.empty();
    }
}
