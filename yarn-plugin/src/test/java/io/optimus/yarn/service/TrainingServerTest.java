package io.optimus.yarn.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.cluster.Resources;
import io.optimus.protocol.SchedulerUnreachableException;
import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingPolicyProvider;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.yarn.WholeLog;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.validation.DemandLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Tests server and client of the protocol over a real connection with YARN's own local.tokens(). */
public final class TrainingServerTest {
    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    @Rule
    public final LocalTrainingServer local = new LocalTrainingServer();

    private final Configuration configuration = local.configuration();
    private final FakeApplications applications = local.applications();
    private final JobRegistry registry = local.registry();

    @Before
    public void giveUpSoon() {
        configuration.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, 500);
        configuration.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 100);
    }

    @Test
    public void registersAndReportsTheJobOfTheTokensApplication() throws Exception {
        ApplicationAttemptId attempt = Jobs.attempt(1, 1);
        applications.run(attempt);
        try (TrainingProtocolClient client = local.client(attempt)) {
            assertThat(client.registerJob(Jobs.registration().build()).getSchedulerMode())
                    .isEqualTo("enforce");
            assertThat(client.report(Jobs.report(1).setCurrentStep(42).build()).getRegisterAgain())
                    .isFalse();
        }
        JobView job = registry.view(attempt.getApplicationId()).orElseThrow();
        assertThat(job.progress().step()).isEqualTo(42);
    }

    @Test
    public void publishesThePortThatItListensOn() {
        assertThat(local.server().address().getPort()).isPositive();
        assertThat(TrainingAddress.ofAll(configuration))
                .containsExactly(local.server().address());
    }

    @Test
    public void leavesItsPortFreeWhenItIsClosed() throws Exception {
        InetSocketAddress address = local.server().address();
        for (int again = 0; again < 20; again++) {
            local.serve(local.service());
            assertThat(local.server().address()).isEqualTo(address);
        }
    }

    @Test
    public void namesTheKeyToSetIfThePortIsTaken() {
        String taken = "localhost:" + local.server().address().getPort();
        Configuration other = new YarnConfiguration();
        other.set(TrainingAddress.ADDRESS, taken);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> TrainingServer.start(other, local.service(), local.tokens(), 2))
                .withMessageContaining("cannot listen at " + taken)
                .withMessageContaining("Remedy: set yarn.resourcemanager.optimus.address=HOST:PORT");
    }

    @Test
    public void refusesEveryJobIfTheClusterServesNoTraining() throws Exception {
        local.serve(new RefusingService(List.of("No GPUs. Remedy: buy.")));
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.registerJob(Jobs.registration().build()))
                    .withMessageContaining("No GPUs. Remedy: buy.")
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_SERVED));
        }
    }

    @Test
    public void refusesACallerWithoutAToken() throws Exception {
        try (TrainingProtocolClient client = TrainingProtocolClient.create(configuration)) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.report(Jobs.report(1).build()))
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.TOKEN));
        }
    }

    @Test
    public void refusesATokenThatThisResourceManagerDidNotGive() throws Exception {
        ApplicationAttemptId attempt = Jobs.attempt(1, 1);
        applications.run(attempt);
        Token<AMRMTokenIdentifier> given = local.tokens().createAndGetAMRMToken(attempt);
        Token<AMRMTokenIdentifier> forgery =
                new Token<>(given.getIdentifier(), new byte[20], given.getKind(), given.getService());
        try (TrainingProtocolClient client = local.client(forgery, configuration)) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.report(Jobs.report(1).build()))
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.TOKEN));
        }
    }

    @Test
    public void refusesAnEarlierAttemptOnAnOpenConnection() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient zombie = local.client(Jobs.attempt(1, 1))) {
            zombie.registerJob(Jobs.registration().build());
            applications.run(Jobs.attempt(1, 2));

            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> zombie.report(Jobs.report(1).build()))
                    .withMessageContaining("runs now")
                    .withMessageContaining("attempt")
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_CURRENT_ATTEMPT));
        }
    }

    @Test
    public void aJobCannotSpeakForAnother() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        applications.run(Jobs.attempt(2, 1));
        try (TrainingProtocolClient one = local.client(Jobs.attempt(1, 1));
                TrainingProtocolClient two = local.client(Jobs.attempt(2, 1))) {
            one.registerJob(Jobs.registration().setName("one").build());
            two.registerJob(Jobs.registration().setName("two").build());
            two.report(Jobs.report(1).setCurrentStep(7).build());
        }
        assertThat(registry.views())
                .extracting(job ->
                        job.registration().name() + " at " + job.progress().step())
                .containsExactly("one at 0", "two at 7");
    }

    @Test
    public void asksAJobThatItDoesNotKnowToRegisterAgain() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThat(client.report(Jobs.report(1).build()).getRegisterAgain()).isTrue();
        }
    }

    @Test
    public void sendsNoDirectivesInModeAdvise() throws Exception {
        local.serve(local.service(SchedulerMode.ADVISE, Jobs.LIMITS));
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            RegisterJobResponseProto registered =
                    client.registerJob(Jobs.registration().build());
            assertThat(registered.getSchedulerMode()).isEqualTo("advise");
            assertThat(registered.hasDirective()).isFalse();
            ReportResponseProto reported = client.report(Jobs.report(1).build());
            assertThat(reported.getSchedulerMode()).isEqualTo("advise");
            assertThat(reported.hasDirective()).isFalse();
        }
    }

    @Test
    public void reloadsTheListOfPermittedCallers() throws Exception {
        configuration.setBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, true);
        local.serve(local.service());
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThat(client.report(Jobs.report(1).build()).getRegisterAgain()).isTrue();
        }

        configuration.set(TrainingPolicyProvider.ACL, "somebody-else");
        local.server().refreshAcl(configuration);

        applications.run(Jobs.attempt(2, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(2, 1))) {
            assertThatThrownBy(() -> client.report(Jobs.report(1).build())).hasStackTraceContaining("not authorized");
        }
    }

    @Test
    public void keepsNoJobOfAnApplicationThatEndsWhileItRegisters() throws Exception {
        ApplicationAttemptId attempt = Jobs.attempt(1, 1);
        applications.run(attempt);
        local.serve(local.service(SchedulerMode.ENFORCE, new EndingLimits(attempt)));

        try (TrainingProtocolClient client = local.client(attempt)) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.registerJob(Jobs.registration().build()))
                    .withMessageContaining("has ended meanwhile");
        }
        assertThat(registry.views()).isEmpty();
    }

    /** Ends the application when the job's tasks are checked. */
    private final class EndingLimits implements DemandLimits {
        private final ApplicationAttemptId attempt;

        EndingLimits(ApplicationAttemptId attempt) {
            this.attempt = attempt;
        }

        @Override
        public Resources largestTask(String queue) {
            applications.end(attempt.getApplicationId());
            return Jobs.LIMITS.largestTask(queue);
        }

        @Override
        public Resources normalised(String queue, Resources task) {
            return task;
        }
    }

    @Test
    public void aJobIsNotToBlameForAnErrorOfTheScheduler() throws Exception {
        local.serve(local.service(SchedulerMode.ENFORCE, new BrokenLimits("first line\nsecond line")));
        applications.run(Jobs.attempt(1, 1));

        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1));
                WholeLog log = new WholeLog()) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.registerJob(Jobs.registration().build()))
                    .withMessageContaining("the scheduler failed on this call")
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.NOT_SERVED));
            assertThat(log.events())
                    .as("a line with the place")
                    .anyMatch(event -> event.contains("call failed attempt=" + Jobs.attempt(1, 1))
                            && event.contains("first line second line")
                            && event.contains(BrokenLimits.class.getName()));
        }
    }

    /** Fails when the job's tasks are checked. */
    private static final class BrokenLimits implements DemandLimits {
        private final String message;

        BrokenLimits(String message) {
            this.message = message;
        }

        @Override
        public Resources largestTask(String queue) {
            throw new IllegalStateException(message);
        }

        @Override
        public Resources normalised(String queue, Resources task) {
            return task;
        }
    }

    @Test
    public void namesEveryProblemOfARegistration() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.registerJob(
                            Jobs.registration().setGlobalBatch(0).setName(" ").build()))
                    .withMessageContainingAll("global_batch=0", "the name must not be blank")
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.INVALID_REQUEST));
        }
    }

    @Test
    public void quotesWhatACallerSentInOneShortLine() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        String forged = "gpu\n2026-01-01 00:00:00 INFO RMAuditLogger: USER=root\u2028" + "x".repeat(1_000_000);
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.registerJob(Jobs.allReduce()
                            .clearRoles()
                            .addRoles(Jobs.role(RoleProto.WORKER, 1, 8, 11, 1).addResources(Jobs.amount(forged, 5)))
                            .build()))
                    .satisfies(refused -> assertThat(refused.getMessage())
                            .hasSizeLessThan(3000)
                            .contains("gpu 2026")
                            .doesNotContain("\n", "\u2028"));
        }
    }

    @Test
    public void namesTheFirstOfVeryManyProblems() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        RegisterJobRequestProto.Builder broken = Jobs.registration().setName("");
        for (int i = 0; i < 30; i++) {
            broken.addGpuTypes(" ");
        }
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> client.registerJob(broken.build()))
                    .withMessageContaining("the name must not be blank");
        }
        assertThat(registry.views()).isEmpty();
    }

    @Test
    public void aJobThatRegistersOverAndOverIsRefusedAndStartsNoRounds() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() -> {
                        for (int i = 0; i < 1000; i++) {
                            client.registerJob(Jobs.registration().build());
                        }
                    })
                    .withMessageContaining("calls more than")
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.TOO_OFTEN));
            assertThat(client.report(Jobs.report(1).build()).getRegisterAgain())
                    .as("it reports as before")
                    .isFalse();
        }
        assertThat(local.earlyRounds()).isEqualTo(1);
    }

    @Test
    public void refusesAVersionThatItDoesNotUnderstand() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() ->
                            client.registerJob(Jobs.registration().setVersion(0).build()))
                    .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.VERSION));
        }
    }

    @Test
    public void findsTheServiceAgainAfterARestart() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        configuration.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, 20_000);
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            client.registerJob(Jobs.registration().build());
            local.serve(local.service());
            assertThat(client.report(Jobs.report(1).build()).getSchedulerMode()).isEqualTo("enforce");
        }
    }

    @Test
    public void failsOverToTheResourceManagerThatServes() throws Exception {
        applications.run(Jobs.attempt(1, 1));
        Configuration pair = new YarnConfiguration(configuration);
        pair.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        pair.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        pair.set(TrainingAddress.ADDRESS + ".rm1", "localhost:1");
        pair.set(
                TrainingAddress.ADDRESS + ".rm2",
                "localhost:" + local.server().address().getPort());
        pair.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_BASE_MS, 10);
        pair.setInt(YarnConfiguration.CLIENT_FAILOVER_MAX_ATTEMPTS, 10);
        try (TrainingProtocolClient client =
                local.client(local.tokens().createAndGetAMRMToken(Jobs.attempt(1, 1)), pair)) {
            client.registerJob(Jobs.registration().build());
            assertThatExceptionOfType(TrainingRefusedException.class)
                    .isThrownBy(() ->
                            client.registerJob(Jobs.registration().setVersion(0).build()));
        }
    }

    @Test
    public void saysThatNoServerAnswersAndWhatToCheck() throws Exception {
        local.close();
        try (TrainingProtocolClient client = local.client(Jobs.attempt(1, 1))) {
            assertThatExceptionOfType(SchedulerUnreachableException.class)
                    .isThrownBy(() -> client.report(Jobs.report(1).build()))
                    .withMessageContaining("yarn.resourcemanager.scheduler.class=io.optimus.yarn.OptimusScheduler");
        }
    }

    @Test
    public void refusesToGoThroughAnAmrmProxy() {
        configuration.setBoolean(YarnConfiguration.AMRM_PROXY_ENABLED, true);

        assertThatExceptionOfType(TrainingRefusedException.class)
                .isThrownBy(() -> TrainingProtocolClient.create(configuration))
                .withMessageContaining("yarn.nodemanager.amrmproxy.enabled=true");
    }
}
