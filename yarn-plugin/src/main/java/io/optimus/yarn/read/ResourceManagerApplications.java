package io.optimus.yarn.read;

import io.optimus.yarn.configuration.PageLinks;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.Applications;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;

/** The applications of a ResourceManager. */
public final class ResourceManagerApplications implements Applications {
    private final Supplier<RMContext> context;

    /** Reads the ResourceManager of {@code context}, which may not exist yet. */
    public ResourceManagerApplications(Supplier<RMContext> context) {
        this.context = context;
    }

    @Override
    public Optional<ApplicationFacts> find(ApplicationId id) {
        RMApp application = context.get().getRMApps().get(id);
        if (application == null || application.isAppInCompletedStates()) {
            return Optional.empty();
        }
        RMAppAttempt attempt = application.getCurrentAppAttempt();
        if (attempt == null) {
            return Optional.empty();
        }
        return Optional.of(new ApplicationFacts(
                attempt.getAppAttemptId(),
                application.getUser(),
                application.getQueue(),
                application.getSubmitTime(),
                priority(application)));
    }

    @Override
    public Collection<ApplicationId> training() {
        return context.get().getRMApps().values().stream()
                .filter(application -> TRAINING_TYPE.equalsIgnoreCase(application.getApplicationType()))
                .filter(application -> !application.isAppInCompletedStates() && hasMaster(application))
                .map(RMApp::getApplicationId)
                .sorted()
                .toList();
    }

    @Override
    public Optional<String> page(ApplicationId id) {
        return PageLinks.ofJob(context.get().getYarnConfiguration(), id);
    }

    private static int priority(RMApp application) {
        Priority priority = application.getApplicationPriority();
        return priority == null ? 0 : priority.getPriority();
    }

    private static boolean hasMaster(RMApp application) {
        RMAppAttempt attempt = application.getCurrentAppAttempt();
        return attempt != null && attempt.getMasterContainer() != null;
    }
}
