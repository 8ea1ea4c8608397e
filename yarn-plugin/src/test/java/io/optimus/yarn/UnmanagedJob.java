package io.optimus.yarn;

import io.optimus.protocol.TrainingProtocolClient;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;

/** A job whose ApplicationMaster runs outside of YARN, so that it survives without nodes. */
final class UnmanagedJob {
    private UnmanagedJob() {}

    /** Submits it, and waits until its ApplicationMaster may connect. */
    static ApplicationAttemptId submit(ResourceManager resourceManager) throws Exception {
        ApplicationId id = TrainingApplications.submit(resourceManager, "job", true);
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
        Await.until(attempt + " is launched", () -> {
            RMApp application = resourceManager.getRMContext().getRMApps().get(id);
            RMAppAttempt found = application == null ? null : application.getRMAppAttempt(attempt);
            return found != null && found.getAppAttemptState() == RMAppAttemptState.LAUNCHED;
        });
        return attempt;
    }

    /** Connects its ApplicationMaster to the training service. */
    static TrainingProtocolClient client(ResourceManager resourceManager, ApplicationAttemptId attempt)
            throws Exception {
        Token<AMRMTokenIdentifier> token =
                resourceManager.getRMContext().getAMRMTokenSecretManager().createAndGetAMRMToken(attempt);
        UserGroupInformation master = UserGroupInformation.createRemoteUser("master");
        master.addToken(token);
        Configuration configuration = resourceManager.getConfig();
        return master.doAs(
                (PrivilegedExceptionAction<TrainingProtocolClient>) () -> TrainingProtocolClient.create(configuration));
    }
}
