package io.optimus.am.master.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingModeProto;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public class SchedulerLinkTest {
    @Rule
    public final Timeout timeout = new Timeout(30, TimeUnit.SECONDS);

    private static final FinishJobRequestProto LAST = FinishJobRequestProto.newBuilder()
            .setVersion(1)
            .setConverged(true)
            .setFinalStep(9)
            .build();

    private final FakeScheduler scheduler = new FakeScheduler();
    private final FakeJob job = new FakeJob();
    private final SchedulerLink link = new SchedulerLink(scheduler, job, Duration.ofMillis(5));

    @After
    public void close() {
        link.close();
    }

    @Test
    public void registersFirstAndThenReports() throws InterruptedException {
        link.start();

        assertThat(scheduler.take()).isEqualTo("register");
        assertThat(scheduler.take()).isEqualTo("report 1");
        assertThat(scheduler.take()).isEqualTo("report 2");
        assertThat(job.calls.take()).isEqualTo("answered enforce");
    }

    @Test
    public void sendsAnUnansweredReportAgainUnchanged() throws InterruptedException {
        scheduler.answers("ok", "unreachable", "ok");
        link.start();

        assertThat(scheduler.take(4)).containsExactly("register", "report 1", "report 1", "report 2");
    }

    @Test
    public void registersAgainWhenTheSchedulerHasForgottenTheJob() throws InterruptedException {
        scheduler.answers("ok", "again", "ok");
        link.start();

        assertThat(scheduler.take(4)).containsExactly("register", "report 1", "register", "report 2");
    }

    @Test
    public void registersAgainWhenTheJobHasChangedUntilTheSchedulerAnswers() throws InterruptedException {
        job.changesAfter = 1;
        scheduler.answers("ok", "ok", "unreachable", "ok");
        link.start();

        assertThat(scheduler.take(5)).containsExactly("register", "report 1", "register", "register", "report 2");
    }

    @Test
    public void keepsRegisteringUntilASchedulerAnswers() throws InterruptedException {
        scheduler.answers("unreachable", "ok");
        link.start();

        assertThat(scheduler.take(3)).containsExactly("register", "register", "report 1");
        assertThat(job.calls.take()).isEqualTo("unreachable");
    }

    @Test
    public void endsAJobThatTheSchedulerRefuses() throws InterruptedException {
        scheduler.answers("invalid");
        link.start();

        assertThat(job.calls.take()).isEqualTo("refused INVALID_REQUEST: max below min");
    }

    @Test
    public void aJobThatWasAcceptedGoesOnWhereAnotherResourceManagerRefusesIt() throws InterruptedException {
        scheduler.answers("ok", "again", "invalid");
        link.start();

        assertThat(scheduler.take(3)).containsExactly("register", "report 1", "register");
        assertThat(job.calls.take()).startsWith("answered");
        assertThat(job.calls.take()).isEqualTo("unreachable");
    }

    @Test
    public void dropsARefusedReport() throws InterruptedException {
        scheduler.answers("ok", "invalid", "ok");
        link.start();

        assertThat(scheduler.take(3)).containsExactly("register", "report 1", "report 2");
    }

    @Test
    public void endsWhenALaterAttemptRuns() throws InterruptedException {
        scheduler.answers("replaced");
        link.start();

        assertThat(job.calls.take()).startsWith("replaced");
    }

    @Test
    public void registersAJobThatHasEndedAlready() {
        link.finish(LAST, Duration.ofSeconds(5));

        assertThat(scheduler.calls).containsExactly("register", "finish 9");
    }

    @Test
    public void doesNotTellASchedulerThatRefusesTheJob() throws InterruptedException {
        scheduler.answers("invalid");
        link.start();
        job.calls.take();

        link.finish(LAST, Duration.ofSeconds(5));
        assertThat(scheduler.calls).containsExactly("register");
    }

    @Test
    public void tellsTheSchedulerOfTheEndOnceRegistered() throws InterruptedException {
        link.start();
        scheduler.take(2);

        link.finish(LAST, Duration.ofSeconds(5));

        assertThat(scheduler.calls).contains("finish 9");
    }

    /** Answers as scripted, and then {@code ok}. */
    private static final class FakeScheduler implements SchedulerLink.Calls {
        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> script = new LinkedBlockingQueue<>();

        void answers(String... answers) {
            script.addAll(Arrays.asList(answers));
        }

        String take() throws InterruptedException {
            return calls.take();
        }

        List<String> take(int count) throws InterruptedException {
            List<String> taken = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                taken.add(calls.take());
            }
            return taken;
        }

        @Override
        public RegisterJobResponseProto register(RegisterJobRequestProto request) throws IOException {
            calls.add("register");
            answer();
            return RegisterJobResponseProto.newBuilder()
                    .setVersion(1)
                    .setReportIntervalMillis(1)
                    .setSchedulerMode("enforce")
                    .build();
        }

        @Override
        public ReportResponseProto report(ReportRequestProto request) throws IOException {
            calls.add("report " + request.getSequence());
            boolean again = answer().equals("again");
            return ReportResponseProto.newBuilder()
                    .setReportIntervalMillis(1)
                    .setSchedulerMode("enforce")
                    .setRegisterAgain(again)
                    .build();
        }

        @Override
        public void finish(FinishJobRequestProto request) {
            calls.add("finish " + request.getFinalStep());
        }

        private String answer() throws IOException {
            String answer = script.isEmpty() ? "ok" : script.remove();
            switch (answer) {
                case "unreachable" -> throw new IOException("connection refused");
                case "invalid" -> throw new TrainingRefusedException(Reason.INVALID_REQUEST, "max below min");
                case "replaced" -> throw new TrainingRefusedException(Reason.NOT_CURRENT_ATTEMPT, "attempt 2 runs");
                default -> {
                    return answer;
                }
            }
        }
    }

    private static final class FakeJob implements SchedulerLink.Job {
        final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
        private long sequence;
        private volatile long changesAfter = -1;

        @Override
        public RegisterJobRequestProto registration() {
            return RegisterJobRequestProto.newBuilder()
                    .setVersion(1)
                    .setName("job")
                    .setMode(TrainingModeProto.SYNCHRONOUS)
                    .setGlobalBatch(1)
                    .setStepsPerEpoch(1)
                    .build();
        }

        @Override
        public Optional<ReportRequestProto> report() {
            if (sequence == changesAfter) {
                changesAfter = -1;
                return Optional.empty();
            }
            return Optional.of(ReportRequestProto.newBuilder()
                    .setVersion(1)
                    .setSequence(++sequence)
                    .build());
        }

        @Override
        public void shownAt(String page) {
            calls.add("shown at " + page);
        }

        @Override
        public void answered(SchedulerLink.Reply reply) {
            calls.add("answered " + reply.mode());
        }

        @Override
        public void unreachable(String why) {
            calls.add("unreachable");
        }

        @Override
        public void refused(String why) {
            calls.add("refused " + why);
        }

        @Override
        public void replaced(String why) {
            calls.add("replaced " + why);
        }
    }
}
