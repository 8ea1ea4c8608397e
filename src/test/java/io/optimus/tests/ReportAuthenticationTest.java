package io.optimus.tests;

import static io.optimus.tests.ScriptedMaster.WORKER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.proto.TrainingProtos.LossPointProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** The scheduler accepts reports only from the current attempt of a registered job, and one job's reports harm no other. */
public class ReportAuthenticationTest {
    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("callers", 2, 4)
            .set("yarn.resourcemanager.connect.max-wait.ms", "5000")
            .set("yarn.resourcemanager.connect.retry-interval.ms", "500");

    @Rule
    public final Timeout timeout = new Timeout(3, TimeUnit.MINUTES);

    @Test
    public void refusesACallerWithoutAToken() throws Exception {
        UserGroupInformation outsider = UserGroupInformation.createRemoteUser("outsider");
        try (TrainingProtocolClient client = clientOf(outsider);
                ScriptedMaster template = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            assertThatThrownBy(() -> client.registerJob(template.job(1, 1).build()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    public void refusesAReportOfAnApplicationThatNeverRegistered() throws Exception {
        try (ScriptedMaster unknown = ScriptedMaster.start(CLUSTER, "YARN", "default")) {
            assertThat(refusedOrAskedToRegister(unknown)).isTrue();
        }
    }

    @Test
    public void refusesAnotherAttemptOfTheApplication() throws Exception {
        try (ScriptedMaster current = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            current.registerJob(1, 1);
            Token<AMRMTokenIdentifier> token = CLUSTER.resourceManager()
                    .getRMContext()
                    .getAMRMTokenSecretManager()
                    .createAndGetAMRMToken(ApplicationAttemptId.newInstance(current.id(), 7));
            token.setService(ClientRMProxy.getAMRMTokenService(CLUSTER.conf()));
            UserGroupInformation oldAttempt = UserGroupInformation.createRemoteUser(
                    UserGroupInformation.getCurrentUser().getShortUserName());
            oldAttempt.addToken(token);
            try (TrainingProtocolClient client = clientOf(oldAttempt)) {
                assertThatThrownBy(() -> client.report(current.report().build()))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("attempt");
            }
        }
    }

    @Test
    public void invalidReportsDoNotDisturbOtherJobs() throws Exception {
        try (ScriptedMaster faulty = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default");
                ScriptedMaster correct = ScriptedMaster.start(CLUSTER, "OPTIMUS", "default")) {
            faulty.registerJob(2, 8);
            correct.registerJob(2, 4);
            for (double invalid : new double[] {
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                -1,
                0,
                Double.MAX_VALUE,
                Double.MIN_VALUE
            }) {
                ReportRequestProto.Builder report = faulty.report().setCurrentStep(Long.MIN_VALUE);
                report.setEpoch(invalid);
                for (long step : List.of(Long.MAX_VALUE, -5L, 100L, 3L, 0L)) {
                    report.addLosses(LossPointProto.newBuilder().setStep(step).setLoss(invalid));
                }
                report.addSpeeds(ScriptedMaster.speed(1, 1, invalid));
                report.addSpeeds(ScriptedMaster.speed(1_000_000, 1_000_000, invalid));
                sendEvenIfRefused(faulty, report);
            }
            Await.until("the correct job trains on its GPUs", () -> {
                correct.follow();
                return correct.holding(WORKER) >= 2;
            });
        }
    }

    private static void sendEvenIfRefused(ScriptedMaster faulty, ReportRequestProto.Builder report) throws Exception {
        try {
            faulty.send(report);
        } catch (IOException refused) {
            assertThat(refused).hasMessageNotContaining("NullPointer");
        }
    }

    private static boolean refusedOrAskedToRegister(ScriptedMaster unknown) throws Exception {
        try {
            return unknown.send(unknown.report()).getRegisterAgain();
        } catch (IOException refused) {
            return true;
        }
    }

    private static TrainingProtocolClient clientOf(UserGroupInformation user) throws Exception {
        return user.doAs((PrivilegedExceptionAction<TrainingProtocolClient>)
                () -> TrainingProtocolClient.create(CLUSTER.conf()));
    }
}
