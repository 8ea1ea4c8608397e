package io.optimus.yarn.service;

import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Applications;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** Identifies callers by their AMRM token, which must belong to the current attempt of its application. */
final class Caller {
    private Caller() {}

    /**
     * Returns the application of the caller.
     *
     * @throws TrainingRefusedException if the caller has no token, is an earlier attempt, or its application has ended
     */
    static ApplicationFacts identify(Applications applications) throws TrainingRefusedException {
        ApplicationAttemptId attempt = attemptOfToken();
        Optional<ApplicationFacts> running = applications.find(attempt.getApplicationId());
        if (running.isEmpty()) {
            throw new TrainingRefusedException(
                    Reason.NOT_CURRENT_ATTEMPT,
                    attempt + " belongs to an application that does not run. Remedy: end the attempt");
        }
        if (!running.get().attempt().equals(attempt)) {
            throw new TrainingRefusedException(
                    Reason.NOT_CURRENT_ATTEMPT,
                    attempt + " is over: " + running.get().attempt() + " runs now. Remedy: end the earlier attempt");
        }
        return running.get();
    }

    private static ApplicationAttemptId attemptOfToken() throws TrainingRefusedException {
        try {
            for (TokenIdentifier identifier :
                    UserGroupInformation.getCurrentUser().getTokenIdentifiers()) {
                if (identifier instanceof AMRMTokenIdentifier token) {
                    return token.getApplicationAttemptId();
                }
            }
        } catch (IOException e) {
            TrainingRefusedException refused =
                    new TrainingRefusedException(Reason.TOKEN, "the caller cannot be identified: " + e.getMessage());
            refused.initCause(e);
            throw refused;
        }
        throw new TrainingRefusedException(
                Reason.TOKEN, "the caller showed no AMRM token. Remedy: call from the ApplicationMaster's own process");
    }
}
