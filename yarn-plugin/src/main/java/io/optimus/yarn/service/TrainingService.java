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
    private final CallRates registrations = new CallRates(1, 20, System::nanoTime);
    private final CallRates reports = new CallRates(100, 200, System::nanoTime);

    /** Called when jobs register, report or end, on the server's threads; must return at once. */
    public interface Listener {
        /**
         * A job registered, for the first time or again.
         *
         * @param plan the last plan that it carried out
         * @param isNew whether the scheduler did not know this job, this attempt or this demand
         */
        void registered(ApplicationId application, long plan, boolean isNew);

        void reported(ApplicationId application, ReportSummary summary);

        void finished(ApplicationId application);

        /** A call was refused. */
        void refused();
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
            ApplicationId id = caller.attempt().getApplicationId();
            registrations.admit(id);
            boolean isNew = registry.register(caller, limits, request);
            forgetIfEnded(id);
            LOG.info(
                    "job registered attempt={} name={} mode={} step={} plan={}",
                    caller.attempt(),
                    request.getName(),
                    request.getMode(),
                    request.getCurrentStep(),
                    request.getPlan());
            listener.registered(id, request.getPlan(), isNew);
            RegisterJobResponseProto.Builder response = RegisterJobResponseProto.newBuilder()
                    .setVersion(VERSION)
                    .setReportIntervalMillis(configuration.get().service().reportIntervalMillis())
                    .setSchedulerMode(configuration.get().mode().word());
            directive(id).ifPresent(response::setDirective);
            return response.build();
        } catch (TrainingRefusedException e) {
            throw refused(e);
        }
    }

    @Override
    public ReportResponseProto report(RpcController controller, ReportRequestProto request) throws ServiceException {
        try {
            ApplicationFacts caller = Caller.identify(applications);
            ApplicationId id = caller.attempt().getApplicationId();
            reports.admit(id);
            Optional<ReportSummary> summary = registry.report(caller, request);
            summary.ifPresent(changes -> listener.reported(id, changes));
            ReportResponseProto.Builder response = ReportResponseProto.newBuilder()
                    .setReportIntervalMillis(configuration.get().service().reportIntervalMillis())
                    .setSchedulerMode(configuration.get().mode().word())
                    .setRegisterAgain(summary.isEmpty());
            directive(id).ifPresent(response::setDirective);
            return response.build();
        } catch (TrainingRefusedException e) {
            throw refused(e);
        }
    }

    @Override
    public FinishJobResponseProto finishJob(RpcController controller, FinishJobRequestProto request)
            throws ServiceException {
        try {
            ApplicationFacts caller = Caller.identify(applications);
            registrations.admit(caller.attempt().getApplicationId());
            registry.finish(caller, request);
            LOG.info(
                    "job finished attempt={} converged={} step={}",
                    caller.attempt(),
                    request.getConverged(),
                    request.getFinalStep());
            listener.finished(caller.attempt().getApplicationId());
            return FinishJobResponseProto.getDefaultInstance();
        } catch (TrainingRefusedException e) {
            throw refused(e);
        }
    }

    /** Only problems of requests are logged: anybody can call without a token, and an earlier attempt may call forever. */
    private ServiceException refused(TrainingRefusedException refusal) {
        listener.refused();
        switch (refusal.reason()) {
            case VERSION, INVALID_REQUEST -> LOG.info("call refused problem={}", refusal.getMessage());
            case NOT_CURRENT_ATTEMPT, TOKEN, NOT_SERVED, TOO_OFTEN -> LOG.debug(
                    "call refused problem={}", refusal.getMessage());
        }
        return new ServiceException(refusal);
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
