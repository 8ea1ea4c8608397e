package io.optimus.yarn.round;

import io.optimus.model.job.Placement;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.ClusterView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The time after a restart in which the plan stays frozen. It ends when every training application that the
 * ResourceManager took over is back or has ended, or at a time limit. A job is back when it has registered again and
 * the scheduler knows the containers of its members. Nodes report containers after the job has registered; without
 * waiting for them, the job would seem to hold nothing and get a new plan.
 */
final class RecoveryPeriod {
    private final Set<ApplicationId> awaited;
    private final long endsMillis;

    RecoveryPeriod(Collection<ApplicationId> awaited, long endsMillis) {
        this.awaited = new TreeSet<>(awaited);
        this.endsMillis = endsMillis;
    }

    /**
     * Whether the recovery period goes on.
     *
     * @param jobs the registered jobs
     * @param running training applications that run, asked for while applications are awaited
     */
    boolean goesOn(long nowMillis, ClusterView view, List<JobView> jobs, Supplier<Collection<ApplicationId>> running) {
        if (awaited.isEmpty()) {
            return false;
        }
        awaited.retainAll(running.get());
        if (nowMillis >= endsMillis) {
            awaited.clear();
        }
        if (!awaited.isEmpty()) {
            Map<ApplicationId, ApplicationUsage> usages = view.usages();
            jobs.stream()
                    .filter(job -> hasItsMembers(job, Optional.ofNullable(usages.get(job.id()))))
                    .forEach(job -> awaited.remove(job.id()));
        }
        return !awaited.isEmpty();
    }

    Set<ApplicationId> awaited() {
        return Set.copyOf(awaited);
    }

    private static boolean hasItsMembers(JobView job, Optional<ApplicationUsage> usage) {
        Placement live = usage.map(ApplicationUsage::live).orElse(Placement.NONE);
        return job.progress().members().byNode().entrySet().stream()
                .allMatch(tasks -> tasks.getValue().isWithin(live.on(tasks.getKey())));
    }
}
