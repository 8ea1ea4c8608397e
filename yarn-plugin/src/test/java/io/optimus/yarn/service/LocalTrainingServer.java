package io.optimus.yarn.service;

import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.TrainingProtocol;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.jobs.ReportSummary;
import io.optimus.yarn.plan.LatestPlan;
import io.optimus.yarn.validation.DemandLimits;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.RMContextImpl;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.NullRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.security.AMRMTokenSecretManager;
import org.junit.rules.ExternalResource;

/** A training server on a free port with YARN's own tokens, and its clients; it serves as long as a test runs. */
final class LocalTrainingServer extends ExternalResource {
    private static final int HANDLERS = 2;

    private final Configuration configuration = new YarnConfiguration();
    private final FakeApplications applications = new FakeApplications();
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final AtomicInteger earlyRounds = new AtomicInteger();
    private final RMContextImpl context = new RMContextImpl();
    private final AMRMTokenSecretManager tokens = new AMRMTokenSecretManager(configuration, context);
    private Optional<TrainingServer> server = Optional.empty();

    @Override
    protected void before() throws Throwable {
        configuration.set(TrainingAddress.ADDRESS, "localhost:0");
        NullRMStateStore store = new NullRMStateStore();
        store.init(configuration);
        context.setStateStore(store);
        tokens.start();
        serve(service());
    }

    @Override
    protected void after() {
        close();
        tokens.stop();
    }

    /** The configuration of the server, which clients read too. */
    Configuration configuration() {
        return configuration;
    }

    FakeApplications applications() {
        return applications;
    }

    JobRegistry registry() {
        return registry;
    }

    /** How often a round was to start early. */
    int earlyRounds() {
        return earlyRounds.get();
    }

    AMRMTokenSecretManager tokens() {
        return tokens;
    }

    /** The server, which serves now. */
    TrainingServer server() {
        return server.orElseThrow();
    }

    /** Serves {@code protocol} from now on, at the same address. */
    void serve(TrainingProtocol protocol) throws IOException {
        close();
        server = Optional.of(TrainingServer.start(configuration, protocol, tokens, HANDLERS));
    }

    /** Stops to serve. */
    void close() {
        server.ifPresent(TrainingServer::close);
        server = Optional.empty();
    }

    /** A service in mode {@code enforce}. */
    TrainingService service() {
        return service(SchedulerMode.ENFORCE, Jobs.LIMITS);
    }

    TrainingService service(SchedulerMode mode, DemandLimits limits) {
        Directives directives = new Directives(new LatestPlan(), node -> node, System::nanoTime);
        Configuration settings = new Configuration(false);
        settings.set("yarn.scheduler.optimus.mode", mode.word());
        settings.set("yarn.scheduler.optimus.report-interval", "1s");
        OptimusConfiguration read = OptimusConfiguration.read(settings);
        return new TrainingService(() -> read, applications, limits, registry, directives, new CountingListener());
    }

    /** A client of the ApplicationMaster of {@code attempt}. */
    TrainingProtocolClient client(ApplicationAttemptId attempt) throws IOException, InterruptedException {
        return client(tokens.createAndGetAMRMToken(attempt), configuration);
    }

    TrainingProtocolClient client(Token<AMRMTokenIdentifier> token, Configuration own)
            throws IOException, InterruptedException {
        return user(token)
                .doAs((PrivilegedExceptionAction<TrainingProtocolClient>) () -> TrainingProtocolClient.create(own));
    }

    /** The user of an ApplicationMaster with this token. */
    UserGroupInformation user(Token<AMRMTokenIdentifier> token) {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("master");
        user.addToken(token);
        return user;
    }

    private final class CountingListener implements TrainingService.Listener {
        private void count(boolean early) {
            earlyRounds.addAndGet(early ? 1 : 0);
        }

        @Override
        public void registered(ApplicationId application, long plan, boolean early) {
            count(early);
        }

        @Override
        public void refused() {}

        @Override
        public void reported(ApplicationId application, ReportSummary summary, boolean early) {
            count(early);
        }

        @Override
        public void finished(ApplicationId application, boolean asItShould, boolean early) {
            count(early);
        }
    }
}
