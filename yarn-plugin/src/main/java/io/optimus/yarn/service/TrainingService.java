package io.optimus.yarn.service;

import io.optimus.protocol.OneLine;
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

    private static final int LONGEST_PROBLEM = 1000;

    private final Supplier<OptimusConfiguration> configuration;
    private final Applications applications;
    private final DemandLimits limits;
    private final JobRegistry registry;
    private final Directives directives;
    private final Listener listener;
    /** A job registers once, and again after each failover; 20 at once is far above that. */
    private final CallRates registrations = new CallRates(1, 20, System::nanoTime);
    /** A job reports every few seconds, and at the shortest report interval, 50 ms, 20 times a second. */
    private final CallRates reports = new CallRates(100, 200, System::nanoTime);
    /** A job has a few reasons for an early round in its life; others wait for the next regular one. */
    private final CallRates earlyRounds = new CallRates(1.0 / 60, 10, System::nanoTime);
    /** Refusals in the log. */
    private final CallRates logged = new CallRates(1.0 / 10, 5, System::nanoTime);

    /** Called when jobs register, report or end, on the server's threads; must return at once. */
    public interface Listener {
        /**
         * A job registered, for the first time or again.
         *
         * @param plan the last plan that it carried out
         * @param early whether a round should follow at once: the scheduler did not know this job, this attempt or this
         *     demand, and the job has early rounds left
         */
        void registered(ApplicationId application, long plan, boolean early);

        /**
         * A job reported.
         *
         * @param early whether a round should follow at once: a size was measured for the first time, or YARN changed the
         *     priority, and the job has early rounds left
         */
        void reported(ApplicationId application, ReportSummary summary, boolean early);

        /**
         * A job said that it ended.
         *
         * @param asItShould whether it trained to its end, rather than failed
         * @param early whether a round should follow at once
         */
        void finished(ApplicationId application, boolean asItShould, boolean early);

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
        return answer(registrations, caller -> register(caller, request));
    }

    private RegisterJobResponseProto register(ApplicationFacts caller, RegisterJobRequestProto request)
            throws TrainingRefusedException {
        ApplicationId id = caller.attempt().getApplicationId();
        boolean isNew = registry.register(caller, limits, request);
        forgetIfEnded(id);
        LOG.info(
                "job registered attempt={} name={} mode={} step={} plan={}",
                caller.attempt(),
                request.getName(),
                request.getMode(),
                request.getCurrentStep(),
                request.getPlan());
        listener.registered(id, request.getPlan(), isNew && earlyRounds.admits(id));
        RegisterJobResponseProto.Builder response = RegisterJobResponseProto.newBuilder()
                .setVersion(VERSION)
                .setReportIntervalMillis(configuration.get().service().reportIntervalMillis())
                .setSchedulerMode(configuration.get().mode().word());
        directive(id).ifPresent(response::setDirective);
        applications.page(id).ifPresent(response::setPage);
        return response.build();
    }

    @Override
    public ReportResponseProto report(RpcController controller, ReportRequestProto request) throws ServiceException {
        return answer(reports, caller -> report(caller, request));
    }

    private ReportResponseProto report(ApplicationFacts caller, ReportRequestProto request)
            throws TrainingRefusedException {
        ApplicationId id = caller.attempt().getApplicationId();
        Optional<ReportSummary> summary = registry.report(caller, request);
        summary.ifPresent(changes ->
                listener.reported(id, changes, (changes.newSize() || changes.newPriority()) && earlyRounds.admits(id)));
        ReportResponseProto.Builder response = ReportResponseProto.newBuilder()
                .setReportIntervalMillis(configuration.get().service().reportIntervalMillis())
                .setSchedulerMode(configuration.get().mode().word())
                .setRegisterAgain(summary.isEmpty());
        directive(id).ifPresent(response::setDirective);
        return response.build();
    }

    @Override
    public FinishJobResponseProto finishJob(RpcController controller, FinishJobRequestProto request)
            throws ServiceException {
        return answer(registrations, caller -> finish(caller, request));
    }

    private FinishJobResponseProto finish(ApplicationFacts caller, FinishJobRequestProto request)
            throws TrainingRefusedException {
        ApplicationId id = caller.attempt().getApplicationId();
        registry.finish(caller, request);
        LOG.info(
                "job finished attempt={} converged={} step={}",
                caller.attempt(),
                request.getConverged(),
                request.getFinalStep());
        listener.finished(id, !request.getFailed(), earlyRounds.admits(id));
        return FinishJobResponseProto.getDefaultInstance();
    }

    /** Answers one call of an application. */
    @FunctionalInterface
    private interface Answer<T> {
        T to(ApplicationFacts caller) throws TrainingRefusedException;
    }

    /** Only the application's current attempt gets an answer, within {@code rates}. */
    private <T> T answer(CallRates rates, Answer<T> answer) throws ServiceException {
        ApplicationFacts caller;
        try {
            caller = Caller.identify(applications);
            rates.admit(caller.attempt().getApplicationId());
        } catch (TrainingRefusedException e) {
            // Not in the log by default: callers without a token, and earlier attempts, may call without end.
            LOG.debug("call refused problem={}", e.getMessage());
            listener.refused();
            throw new ServiceException(e);
        }
        try {
            return answer.to(caller);
        } catch (TrainingRefusedException e) {
            log(caller, e);
            listener.refused();
            throw new ServiceException(e);
        } catch (RuntimeException | LinkageError e) {
            listener.refused();
            throw new ServiceException(failed(caller, e));
        }
    }

    /** An error of the scheduler is no fault of the job, which tries again. */
    private TrainingRefusedException failed(ApplicationFacts caller, Throwable error) {
        if (logged.admits(caller.attempt().getApplicationId())) {
            // Without the message of the exception itself, which may hold what the caller sent.
            Exception stack = new Exception("stack of the call");
            stack.setStackTrace(error.getStackTrace());
            LOG.warn(
                    "call failed attempt={} problem={}",
                    caller.attempt(),
                    OneLine.of(error.toString(), LONGEST_PROBLEM),
                    stack);
        }
        return new TrainingRefusedException(
                Reason.NOT_SERVED,
                "the scheduler failed on this call. Remedy: report what the ResourceManager's log says of "
                        + caller.attempt());
    }

    private void log(ApplicationFacts caller, TrainingRefusedException refusal) {
        if (logged.admits(caller.attempt().getApplicationId())) {
            LOG.info("call refused attempt={} problem={}", caller.attempt(), refusal.getMessage());
        } else {
            LOG.debug("call refused attempt={} problem={}", caller.attempt(), refusal.getMessage());
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
