package io.optimus.am.master.scheduler;

import io.optimus.am.master.plan.Directive;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the scheduler informed, on a thread of its own, since calls block while no ResourceManager answers.
 *
 * <p>It registers first and then reports, as often as the scheduler wants. A report that was not answered is sent again
 * unchanged, so that nothing in it is lost or counted twice. If the scheduler does not know the job any more, the job
 * registers again with its history.
 */
public final class SchedulerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerLink.class);

    /** Time between attempts to reach a scheduler that does not answer. */
    public static final Duration RETRY = Duration.ofSeconds(2);

    /** Time between attempts while the scheduler serves no training jobs: it may be replaced by one that does. */
    private static final Duration NOT_SERVED_RETRY = Duration.ofSeconds(30);

    /** The scheduler chooses the report interval within these limits. */
    private static final long SHORTEST_INTERVAL_MILLIS = 100;

    private static final long LONGEST_INTERVAL_MILLIS = 60_000;

    private final Calls calls;
    private final Job job;
    private final Duration retry;
    private final Thread thread;

    private volatile boolean closed;
    private boolean started;
    private boolean registered;
    /** Whether a scheduler has accepted this job before. */
    private boolean accepted;
    /** Whether the registration is out of date. */
    private boolean outdated;

    private @Nullable ReportRequestProto unanswered;
    private boolean warned;

    /** A link that does nothing before {@link #start}; {@code retry} is {@link #RETRY} except in tests. */
    public SchedulerLink(Calls calls, Job job, Duration retry) {
        this.calls = calls;
        this.retry = retry;
        this.job = job;
        this.thread = new Thread(this::keepInformed, "scheduler-link");
        thread.setDaemon(true);
    }

    /** The scheduler's training service. Calls block and throw as {@code TrainingProtocolClient} says. */
    public interface Calls {
        /** Registers the job. */
        RegisterJobResponseProto register(RegisterJobRequestProto request) throws IOException;

        /** Reports what is new. */
        ReportResponseProto report(ReportRequestProto request) throws IOException;

        /** Says that the job has ended. */
        void finish(FinishJobRequestProto request) throws IOException;
    }

    /** The job as the link needs it. Methods are called on the link's thread. */
    public interface Job {
        /** The whole job with its history. */
        RegisterJobRequestProto registration();

        /** What is new since the last call; empty if the job has changed and must be registered again. */
        Optional<ReportRequestProto> report();

        /** The ResourceManager shows this job to people at {@code page}, also after its end. */
        void shownAt(String page);

        /** The scheduler has answered. */
        void answered(Reply reply);

        /** The scheduler did not answer, or serves no training jobs. */
        void unreachable(String why);

        /** The scheduler refuses this job. */
        void refused(String why);

        /** A later attempt of this application runs. */
        void replaced(String why);
    }

    /**
     * The scheduler's reply to a registration or a report.
     *
     * @param mode {@code enforce}, {@code advise} or {@code off}
     * @param directive this job's part of the plan; empty while no plan has the job
     */
    public record Reply(String mode, Optional<Directive> directive) {
        /** Whether the scheduler decides the job's allocation; otherwise the job does. */
        boolean enforced() {
            return mode.equalsIgnoreCase("enforce");
        }
    }

    /** Starts registering and reporting. */
    public void start() {
        started = true;
        thread.start();
    }

    /**
     * Stops reporting and tells the scheduler that the job has ended; gives up after {@code timeout}. A link that was not
     * started registers the job first, since the scheduler learns from its history.
     */
    public void finish(FinishJobRequestProto request, Duration timeout) {
        close();
        if (started && !registered) {
            return;
        }
        Thread last = new Thread(
                () -> {
                    try {
                        registerBeforeTheEnd();
                        calls.finish(request);
                    } catch (IOException e) {
                        LOG.warn("The scheduler could not be told that the job has ended: {}", e.getMessage());
                    }
                },
                "scheduler-finish");
        last.setDaemon(true);
        last.start();
        join(last, timeout);
    }

    private void registerBeforeTheEnd() throws IOException {
        if (!registered) {
            try {
                calls.register(job.registration());
            } catch (TrainingRefusedException known) {
                LOG.info("The scheduler knows an earlier attempt of this job: {}", known.getMessage());
            }
        }
    }

    /** Ends the thread and interrupts an ongoing call. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        join(thread, Duration.ofSeconds(2));
    }

    private void keepInformed() {
        Duration pause = Duration.ZERO;
        while (!closed) {
            try {
                // The interval that the scheduler chose; close() interrupts it.
                Thread.sleep(pause.toMillis());
                pause = registered && !outdated ? report() : register();
                warned = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (TrainingRefusedException e) {
                pause = refused(e);
            } catch (IOException e) {
                pause = unanswered(e.toString(), retry);
            } catch (RuntimeException e) {
                LOG.error("The call of the scheduler failed", e);
                pause = unanswered(e.toString(), retry);
            }
        }
    }

    private Duration register() throws IOException {
        RegisterJobResponseProto response = calls.register(job.registration());
        registered = true;
        accepted = true;
        outdated = false;
        unanswered = null;
        if (response.hasPage()) {
            job.shownAt(response.getPage());
        }
        job.answered(new Reply(
                response.getSchedulerMode(),
                response.hasDirective()
                        ? Optional.of(JobMessages.directive(response.getDirective()))
                        : Optional.empty()));
        return interval(response.getReportIntervalMillis());
    }

    private Duration report() throws IOException {
        ReportRequestProto request = unanswered == null ? job.report().orElse(null) : unanswered;
        if (request == null) {
            outdated = true;
            return Duration.ZERO;
        }
        unanswered = request;
        ReportResponseProto response = calls.report(request);
        unanswered = null;
        if (response.getRegisterAgain()) {
            LOG.info("The scheduler does not know this job any more: registering again");
            registered = false;
            return Duration.ZERO;
        }
        job.answered(new Reply(
                response.getSchedulerMode(),
                response.hasDirective()
                        ? Optional.of(JobMessages.directive(response.getDirective()))
                        : Optional.empty()));
        return interval(response.getReportIntervalMillis());
    }

    private Duration refused(TrainingRefusedException refusal) {
        String why = String.valueOf(refusal.getMessage());
        return switch (refusal.reason()) {
            case NOT_CURRENT_ATTEMPT -> {
                closed = true;
                job.replaced(why);
                yield Duration.ZERO;
            }
            case NOT_SERVED -> unanswered(why, NOT_SERVED_RETRY);
            case TOKEN, TOO_OFTEN -> unanswered(why, retry);
            case VERSION, INVALID_REQUEST -> registered ? dropReport(why) : refusedRegistration(why);
        };
    }

    /** Another ResourceManager may have other limits. A job that trains goes on with what it has until they are mended. */
    private Duration refusedRegistration(String why) {
        return accepted ? unanswered(why, NOT_SERVED_RETRY) : giveUp(why);
    }

    private Duration dropReport(String why) {
        LOG.warn("The scheduler refused a report; it is dropped: {}", why);
        unanswered = null;
        outdated = false;
        return retry;
    }

    private Duration giveUp(String why) {
        closed = true;
        job.refused(why);
        return Duration.ZERO;
    }

    private Duration unanswered(String why, Duration pause) {
        if (!warned) {
            LOG.warn("The scheduler does not answer; training goes on: {}", why);
            warned = true;
        }
        job.unreachable(why);
        return pause;
    }

    private static Duration interval(long millis) {
        return Duration.ofMillis(Math.max(SHORTEST_INTERVAL_MILLIS, Math.min(LONGEST_INTERVAL_MILLIS, millis)));
    }

    private static void join(Thread thread, Duration timeout) {
        try {
            thread.join(timeout.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
