package io.optimus.am.master.scheduler;

import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
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
 * Keeps the scheduler informed, on a thread of its own since calls block while no ResourceManager answers.
 *
 * <p>Registers first; then reports, as often as the scheduler wants. A report that was not answered is sent again
 * unchanged, so that nothing in it is lost or counted twice; a scheduler that does not know the job any more gets a new
 * registration with the job's history instead.
 */
public final class SchedulerLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerLink.class);
    /** Between attempts to reach a scheduler that does not answer. */
    public static final Duration RETRY = Duration.ofSeconds(2);
    /** Between attempts to reach a scheduler that serves no training jobs: it may be replaced by one that does. */
    private static final Duration NOT_SERVED_RETRY = Duration.ofSeconds(30);
    /** The interval is the scheduler's wish, within reason. */
    private static final long SHORTEST_INTERVAL_MILLIS = 100;

    private static final long LONGEST_INTERVAL_MILLIS = 60_000;

    private final SchedulerCalls calls;
    private final Job job;
    private final Duration retry;
    private final Thread thread;

    private volatile boolean closed;
    private boolean registered;
    private @Nullable ReportRequestProto unanswered;
    private boolean complained;

    /** A link that does nothing before {@link #start}; {@code retry} is {@link #RETRY} but in tests. */
    public SchedulerLink(SchedulerCalls calls, Job job, Duration retry) {
        this.calls = calls;
        this.retry = retry;
        this.job = job;
        this.thread = new Thread(this::keepInformed, "scheduler-link");
        thread.setDaemon(true);
    }

    /** The job as the link needs it; called on the link's thread. */
    public interface Job {
        /** All about the job, with its history. */
        RegisterJobRequestProto registration();

        /** What is new since the last call. */
        ReportRequestProto report();

        /** The scheduler has answered. */
        void answered(SchedulerReply reply);

        /** Nobody answered, or nobody who knows training jobs. */
        void unreachable(String why);

        /** The scheduler will not have this job. */
        void refused(String why);

        /** A later attempt of this application runs. */
        void replaced(String why);
    }

    public void start() {
        thread.start();
    }

    /** Says that the job has ended, after everything else; gives up after {@code atMost}. */
    public void finish(FinishJobRequestProto request, Duration atMost) {
        close();
        if (!registered) {
            return;
        }
        Thread last = new Thread(
                () -> {
                    try {
                        calls.finish(request);
                    } catch (IOException e) {
                        LOG.warn("The scheduler was not told of the job's end: {}", e.getMessage());
                    }
                },
                "scheduler-goodbye");
        last.setDaemon(true);
        last.start();
        join(last, atMost);
    }

    /** Ends the thread; an ongoing call is interrupted. */
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
                // The rhythm that the scheduler asks for; close() interrupts it.
                Thread.sleep(pause.toMillis());
                pause = registered ? report() : register();
                complained = false;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (TrainingRefusedException e) {
                pause = refused(e);
            } catch (IOException e) {
                pause = unanswered(e.toString(), retry);
            } catch (RuntimeException e) {
                LOG.error("The scheduler cannot be told of the job", e);
                pause = unanswered(e.toString(), retry);
            }
        }
    }

    private Duration register() throws IOException {
        RegisterJobResponseProto response = calls.register(job.registration());
        registered = true;
        unanswered = null;
        Optional<DirectiveProto> directive =
                response.hasDirective() ? Optional.of(response.getDirective()) : Optional.empty();
        job.answered(new SchedulerReply(response.getSchedulerMode(), directive.map(JobMessages::directive)));
        return interval(response.getReportIntervalMillis());
    }

    private Duration report() throws IOException {
        ReportRequestProto request = unanswered == null ? job.report() : unanswered;
        unanswered = request;
        ReportResponseProto response = calls.report(request);
        unanswered = null;
        if (response.getRegisterAgain()) {
            LOG.info("The scheduler does not know this job any more: registering again");
            registered = false;
            return Duration.ZERO;
        }
        Optional<DirectiveProto> directive =
                response.hasDirective() ? Optional.of(response.getDirective()) : Optional.empty();
        job.answered(new SchedulerReply(response.getSchedulerMode(), directive.map(JobMessages::directive)));
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
            case TOKEN -> unanswered(why, retry);
            case VERSION, INVALID_REQUEST -> registered ? dropReport(why) : giveUp(why);
        };
    }

    private Duration dropReport(String why) {
        LOG.warn("The scheduler refused a report, which is dropped: {}", why);
        unanswered = null;
        return retry;
    }

    private Duration giveUp(String why) {
        closed = true;
        job.refused(why);
        return Duration.ZERO;
    }

    private Duration unanswered(String why, Duration pause) {
        if (!complained) {
            LOG.warn("The scheduler does not answer, training goes on: {}", why);
            complained = true;
        }
        job.unreachable(why);
        return pause;
    }

    private static Duration interval(long millis) {
        return Duration.ofMillis(Math.max(SHORTEST_INTERVAL_MILLIS, Math.min(LONGEST_INTERVAL_MILLIS, millis)));
    }

    private static void join(Thread thread, Duration atMost) {
        try {
            thread.join(atMost.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
