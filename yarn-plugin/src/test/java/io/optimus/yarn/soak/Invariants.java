package io.optimus.yarn.soak;

import io.optimus.yarn.OptimusScheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * What must hold at every moment of a soak: no node holds more than its capacity, no queue is below its guarantee for long
 * while its applications lack containers, and no job is below its minimum for long while there is room for it.
 */
final class Invariants {
    private static final long BOUND_MILLIS = TimeUnit.SECONDS.toMillis(60);
    /** Tasks of a few seconds leave a part of a queue empty between two of them. */
    private static final double NEARLY_ALL = 0.85;

    private static final long MOST_BETWEEN_MILLIS = 1500;
    private static final int VIOLATIONS_KEPT = 100;

    private final SoakCluster cluster;
    private final Collection<SimulatedApplication> live;
    private final Map<ApplicationId, Long> starvedSinceMillis = new HashMap<>();
    private final Map<ApplicationId, Long> stuckSinceMillis = new HashMap<>();
    private final Set<String> violations = new LinkedHashSet<>();
    private final Set<Object> reported = new LinkedHashSet<>();
    /** Time in which the soak could act: on a machine that is too busy, some seconds may pass between two checks. */
    private long watchedMillis;

    private long lastMillis;
    private long longestStarvedMillis;
    private long longestStuckMillis;

    /** Watches {@code live}, from which applications are removed when they have ended. */
    Invariants(SoakCluster cluster, Collection<SimulatedApplication> live) {
        this.cluster = cluster;
        this.live = live;
    }

    /** Looks at the cluster; while {@code heldBack}, training need not have its share. */
    void check(long nowMillis, boolean heldBack) {
        watchedMillis += Math.min(MOST_BETWEEN_MILLIS, nowMillis - lastMillis);
        lastMillis = nowMillis;
        check(heldBack);
    }

    private void check(boolean heldBack) {
        OptimusScheduler scheduler = cluster.scheduler();
        List<FiCaSchedulerNode> nodes = scheduler.getAllNodes();
        nodes.forEach(this::checkCapacity);
        if (heldBack) {
            starvedSinceMillis.clear();
            stuckSinceMillis.clear();
            return;
        }
        Set<ApplicationId> starved = new LinkedHashSet<>();
        for (String queue : Scenario.QUEUES) {
            checkGuarantee(scheduler, queue, starved);
        }
        starvedSinceMillis.keySet().retainAll(starved);
        Set<ApplicationId> stuck = new LinkedHashSet<>();
        for (SimulatedApplication application : live) {
            if (application.isRunning() && application.work() instanceof TrainingWork work) {
                Work.Lack lack = work.lack();
                if (!lack.isNone() && hasRoom(scheduler, nodes, application, lack)) {
                    stuck.add(application.id());
                    checkStuck(application, work);
                }
            }
        }
        stuckSinceMillis.keySet().retainAll(stuck);
    }

    private void checkCapacity(FiCaSchedulerNode node) {
        Resource held = Resources.createResource(0);
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            Resources.addTo(held, container.getAllocatedResource());
        }
        if (!Resources.fitsIn(held, node.getTotalResource())) {
            violate(node.getNodeID(), node.getNodeID() + " holds " + held + " of " + node.getTotalResource());
        }
    }

    /** Adds to {@code starved} the applications that lack what the queue has left of its guarantee. */
    private void checkGuarantee(OptimusScheduler scheduler, String name, Set<ApplicationId> starved) {
        CSQueue queue = scheduler.getQueue(name);
        Resource left = Resources.subtractNonNegative(
                Resources.multiply(queue.getQueueResourceQuotas().getEffectiveMinResource(), NEARLY_ALL),
                queue.getQueueResourceUsage().getUsed());
        for (SimulatedApplication application : live) {
            Work.Lack lack = application.work().lack();
            if (application.isRunning()
                    && !lack.isNone()
                    && Resources.fitsIn(Resources.multiply(lack.task(), needed(application, lack)), left)
                    && queueOf(scheduler, application).equals(Optional.of(name))) {
                starved.add(application.id());
                checkStarved(application, name, left);
            }
        }
    }

    private void checkStarved(SimulatedApplication application, String queue, Resource left) {
        long millis = watchedMillis - starvedSinceMillis.computeIfAbsent(application.id(), id -> watchedMillis);
        longestStarvedMillis = Math.max(longestStarvedMillis, millis);
        if (millis > BOUND_MILLIS) {
            violate(
                    application.id() + " starved",
                    "at " + lastMillis / 1000 + " s queue " + queue + " is below its guarantee for " + millis / 1000
                            + " s, left " + left + ", lacking " + application.description() + " "
                            + application.work().lack());
        }
    }

    /** A job needs its minimum together; an ordinary application uses each container. */
    private static int needed(SimulatedApplication application, Work.Lack lack) {
        return application.work() instanceof TrainingWork ? lack.count() : 1;
    }

    private void checkStuck(SimulatedApplication application, TrainingWork work) {
        long millis = watchedMillis - stuckSinceMillis.computeIfAbsent(application.id(), id -> watchedMillis);
        longestStuckMillis = Math.max(longestStuckMillis, millis);
        if (millis > BOUND_MILLIS) {
            violate(
                    application.id(),
                    "at " + lastMillis / 1000 + " s " + application.description() + " has had room for " + millis / 1000
                            + " s, lacks " + work.lack() + ", because: "
                            + work.watch().reason());
        }
    }

    private static boolean hasRoom(
            OptimusScheduler scheduler,
            List<FiCaSchedulerNode> nodes,
            SimulatedApplication application,
            Work.Lack lack) {
        Optional<String> name = queueOf(scheduler, application);
        if (name.isEmpty()) {
            return false;
        }
        CSQueue queue = scheduler.getQueue(name.get());
        Resource more = Resources.multiply(lack.task(), lack.count());
        Resource left = Resources.subtractNonNegative(
                queue.getQueueResourceQuotas().getEffectiveMaxResource(),
                queue.getQueueResourceUsage().getUsed());
        int room = 0;
        for (FiCaSchedulerNode node : nodes) {
            Resource free = Resources.clone(node.getUnallocatedResource());
            while (Resources.fitsIn(lack.task(), free)) {
                Resources.subtractFrom(free, lack.task());
                room++;
            }
        }
        return room >= lack.count() && Resources.fitsIn(more, left);
    }

    private static Optional<String> queueOf(OptimusScheduler scheduler, SimulatedApplication application) {
        SchedulerApplication<FiCaSchedulerApp> known =
                scheduler.getSchedulerApplications().get(application.id());
        return known == null ? Optional.empty() : Optional.of(known.getQueue().getQueueName());
    }

    /** Notes a violation, once for each subject. */
    void violate(Object subject, String what) {
        if (reported.add(subject) && violations.size() < VIOLATIONS_KEPT) {
            violations.add(what);
            System.out.println("VIOLATION " + what);
        }
    }

    List<String> violations() {
        return new ArrayList<>(violations);
    }

    long longestStarvedSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(longestStarvedMillis);
    }

    long longestStuckSeconds() {
        return TimeUnit.MILLISECONDS.toSeconds(longestStuckMillis);
    }
}
