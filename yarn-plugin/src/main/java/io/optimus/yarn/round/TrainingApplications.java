package io.optimus.yarn.round;

import io.optimus.model.Role;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.job.SchedulingTerms;
import io.optimus.yarn.configuration.OwnerLimits;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.read.TrainingApplication.RoleShape;
import io.optimus.yarn.validation.Registration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** The jobs as applications that the cluster is read for; each is made again only when its job registers again,
 * or may shrink from now on, or no longer. */
final class TrainingApplications {
    private Map<ApplicationId, Known> known = Map.of();

    private record Known(Registration registration, TrainingApplication application) {
        @SuppressWarnings("ReferenceEquality") // Registering again makes another object.
        boolean isStill(JobView job, boolean mayShrink) {
            return registration == job.registration() && application.mayShrink() == mayShrink;
        }
    }

    /** The application of each of {@code jobs}, which may shrink or not. */
    List<TrainingApplication> of(List<JobView> jobs, Predicate<JobView> mayShrink) {
        Map<ApplicationId, Known> present = new HashMap<>();
        List<TrainingApplication> applications = new ArrayList<>(jobs.size());
        for (JobView job : jobs) {
            Known before = known.get(job.id());
            boolean shrinks = mayShrink.test(job);
            Known now = before != null && before.isStill(job, shrinks)
                    ? before
                    : new Known(job.registration(), application(job, shrinks));
            present.put(job.id(), now);
            applications.add(now.application());
        }
        known = present;
        return applications;
    }

    /** Whether rounds may make {@code job} smaller. */
    static boolean mayShrink(JobView job, OwnerLimits owners, OperatorOrders.InForce orders, long nowMillis) {
        SchedulingTerms granted = owners.within(job.facts().queue(), job.scheduling());
        return !orders.sizes().containsKey(job.id()) && job.mayShrink(granted, nowMillis);
    }

    private static TrainingApplication application(JobView job, boolean mayShrink) {
        Map<Role, RoleShape> roles = new EnumMap<>(Role.class);
        job.registration().yarnPriorities().forEach((role, priority) -> {
            RoleDemand demand = job.registration().demand().of(role);
            roles.put(role, new RoleShape(priority, demand.task(), demand.min(), demand.max()));
        });
        return new TrainingApplication(job.id(), roles, mayShrink);
    }
}
