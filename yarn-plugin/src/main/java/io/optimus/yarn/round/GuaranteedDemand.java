package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.Placement;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.QueueView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Training's demand within the guarantees of its queues, where others hold the room. Such tasks are requested from YARN
 * without naming nodes, so that YARN serves the queue before others and preempts for it. When YARN has granted a
 * container, the plan takes it up where it is.
 *
 * <p>A job that waits for such containers does so until it holds them or its share of the guarantee ends. Room that is free
 * for a moment does not end its wait, because another queue may get that room first.
 *
 * <p>A job begins to wait only where no node has room for its task: otherwise the plan has reasons to wait for another node.
 * Room that training is about to release is not requested: the plan itself takes it from other jobs.
 *
 * <p>A size that is requested stays requested until YARN has granted it, the plan shrinks the job, or {@code growth-timeout}
 * has passed. Rounds meanwhile do not lower it: with a part of its containers, a job seems to gain little from one more resize.
 *
 * <p>Example: 8 GPUs are guaranteed to a queue, others hold all, and its only job is to have 8 workers. 8 containers are
 * requested. YARN grants one on node B, where the plan had none. The plan then has one worker on B, and 7 are
 * requested.
 *
 * <p>Remembers which jobs wait. Not thread-safe: the round owns it.
 */
final class GuaranteedDemand {
    private final LongSupplier growthMillis;
    private Map<ApplicationId, Wait> waiting = Map.of();

    /**
     * What YARN was asked for.
     *
     * @param total the size of the job once YARN has granted all
     * @param sinceMillis since when it waits, by the round's clock
     */
    private record Wait(Allocation total, long sinceMillis) {}

    /**
     * Starts without requests.
     *
     * @param growthMillis how long a requested size is kept
     */
    GuaranteedDemand(LongSupplier growthMillis) {
        this.growthMillis = growthMillis;
    }

    /**
     * A job in the plan.
     *
     * @param usage what it holds
     * @param demand its tasks
     * @param target the placement that it can have now
     * @param wanted its size within the guarantee
     */
    record JobTarget(ApplicationUsage usage, JobDemand demand, Placement target, Allocation wanted) {
        ApplicationId id() {
            return usage.application().id();
        }

        /** The tasks that it holds and keeps. */
        Allocation kept() {
            if (usage.live().equals(target)) {
                return target.allocation();
            }
            Allocation kept = Allocation.NONE;
            for (Map.Entry<String, Allocation> tasks : usage.live().byNode().entrySet()) {
                kept = kept.plus(tasks.getValue().min(target.on(tasks.getKey())));
            }
            return kept;
        }

        Resources leaving() {
            Allocation leaves = usage.live().allocation().beyond(kept());
            return leaves.isNone() ? Resources.NONE : demand.resources(leaves);
        }
    }

    /**
     * The size of a job within the guarantee: {@code decided}, but no less than what is requested and still kept.
     *
     * @param trainsOn the size that it runs on
     * @param decided the size that the last round decided; none if YARN is to choose no node for the job
     * @param planned the size on the room that training may use
     */
    Allocation wanted(ApplicationId job, Allocation trainsOn, Allocation decided, Allocation planned, long nowMillis) {
        boolean mayKeep = !decided.isNone() && trainsOn.isWithin(planned);
        return kept(job, nowMillis)
                .filter(wait -> mayKeep)
                .map(wait -> decided.max(wait.total()))
                .orElse(decided);
    }

    private Optional<Wait> kept(ApplicationId job, long nowMillis) {
        return Optional.ofNullable(waiting.get(job))
                .filter(wait -> nowMillis - wait.sinceMillis() < growthMillis.getAsLong());
    }

    /**
     * Returns {@code planned} with the tasks that YARN granted on other nodes, in place of tasks that the job does not hold
     * yet; {@code planned} itself for a job that waits for nothing.
     *
     * @param wanted its size within the guarantee
     */
    Placement withGranted(ApplicationUsage usage, Placement planned, Allocation wanted) {
        if (!waiting.containsKey(usage.application().id())) {
            return planned;
        }
        Map<String, Allocation> tasks = new TreeMap<>(planned.byNode());
        for (Role role : Role.values()) {
            int most = Math.max(wanted.count(role), planned.allocation().count(role));
            int held = 0;
            for (Map.Entry<String, Allocation> live : usage.live().byNode().entrySet()) {
                String node = live.getKey();
                int here = Math.max(0, Math.min(live.getValue().count(role), most - held));
                held += here;
                int more = here - planned.on(node).count(role);
                if (more > 0) {
                    tasks.merge(node, Allocation.NONE.plus(role, more), Allocation::plus);
                }
            }
            drop(tasks, usage.live(), role, most);
        }
        return Placement.of(tasks);
    }

    /** Drops tasks that are not held until at most {@code most} are left. */
    private static void drop(Map<String, Allocation> tasks, Placement live, Role role, int most) {
        int over = -most;
        for (Allocation here : tasks.values()) {
            over += here.count(role);
        }
        for (String node : List.copyOf(tasks.keySet())) {
            Allocation here = tasks.getOrDefault(node, Allocation.NONE);
            int missing = here.count(role) - live.on(node).count(role);
            int dropped = Math.max(0, Math.min(over, missing));
            tasks.put(node, here.plus(role, -dropped));
            over -= dropped;
        }
    }

    /**
     * Divides what is left of the guarantees among {@code jobs}, in their order.
     *
     * @param free what the targets leave free, by node
     * @return the size up to which YARN may choose the nodes, by job; jobs that wait for nothing are left out
     */
    Map<ApplicationId, Allocation> divide(
            List<QueueView> queues, List<JobTarget> jobs, Map<String, Resources> free, long nowMillis) {
        Map<ApplicationId, JobTarget> byId = new HashMap<>();
        jobs.forEach(job -> byId.put(job.id(), job));
        Map<String, Resources> leaving = new HashMap<>();
        Map<ApplicationId, Share> shares = new HashMap<>();
        for (QueueView queue : queues) {
            Share share = new Share(queue);
            for (ApplicationUsage usage : queue.usages()) {
                JobTarget job = byId.get(usage.application().id());
                if (job != null) {
                    leaving.merge(queue.partition(), job.leaving(), Resources::plus);
                    shares.put(job.id(), share);
                    share.take(usage.user(), job.demand().resources(coming(job)));
                }
            }
        }
        Map<ApplicationId, Allocation> totals = new HashMap<>();
        for (JobTarget job : jobs) {
            Share share = shares.get(job.id());
            Allocation all = job.wanted().beyond(coming(job));
            if (share != null && !all.isNone()) {
                Allocation lacking = share.withoutRoom(job, all, isWaiting(job), free);
                Allocation more = share.more(job, beyondLeaving(job, lacking, leaving, share.partition()));
                if (!more.isNone()) {
                    totals.put(job.id(), job.kept().plus(more));
                }
            }
        }
        remember(totals, nowMillis);
        return totals;
    }

    /** A size that changes while YARN is asked does not prolong the time for which it is kept. */
    private void remember(Map<ApplicationId, Allocation> totals, long nowMillis) {
        Map<ApplicationId, Wait> now = new HashMap<>();
        totals.forEach((job, total) -> {
            long since = kept(job, nowMillis).map(Wait::sinceMillis).orElse(nowMillis);
            now.put(job, new Wait(total, since));
        });
        waiting = now;
    }

    /** The tasks that the job holds, or is sure to get. */
    private Allocation coming(JobTarget job) {
        return isWaiting(job) ? job.kept() : job.target().allocation();
    }

    private boolean isWaiting(JobTarget job) {
        return waiting.containsKey(job.id());
    }

    /** The part of {@code lacking} for which other training leaves no room; takes the rest out of {@code leaving}. */
    private static Allocation beyondLeaving(
            JobTarget job, Allocation lacking, Map<String, Resources> leaving, String partition) {
        Allocation left = lacking;
        for (Role role : Role.values()) {
            Resources task = job.demand().of(role).task();
            Resources room = leaving.getOrDefault(partition, Resources.NONE);
            int covered = (int) task.timesIn(room, left.count(role));
            leaving.put(partition, room.minus(task.times(covered)));
            left = left.plus(role, -covered);
        }
        return left;
    }

    /** What is left of one queue's guarantee. */
    private static final class Share {
        private final QueueView queue;
        private final Map<String, Resources> leftOfUsers;
        private final Map<Resources, Boolean> hasRoom = new HashMap<>();
        private Resources left;

        Share(QueueView queue) {
            this.queue = queue;
            this.left = queue.guaranteed().budget();
            this.leftOfUsers = new HashMap<>(queue.guaranteed().userBudgets());
        }

        String partition() {
            return queue.partition();
        }

        void take(String user, Resources taken) {
            left = left.minus(taken);
            leftOfUsers.computeIfPresent(user, (name, own) -> own.minus(taken));
        }

        /**
         * The part of {@code lacking} that has no room on any node. All of it for a job that {@code waits} already, and for one
         * that cannot run without the part that has no room.
         */
        Allocation withoutRoom(JobTarget job, Allocation lacking, boolean waits, Map<String, Resources> free) {
            Allocation without = lacking;
            for (Role role : Role.values()) {
                if (lacking.count(role) > 0 && hasRoom(job.demand().of(role).task(), free)) {
                    without = without.plus(role, -without.count(role));
                }
            }
            boolean runs = job.demand().minimum().isWithin(job.kept());
            return waits || (!runs && !without.isNone()) ? lacking : without;
        }

        /** Jobs of a queue often have tasks of one size, and there may be thousands of nodes. */
        private boolean hasRoom(Resources task, Map<String, Resources> free) {
            return hasRoom.computeIfAbsent(task, size -> queue.cluster().nodes().stream()
                    .anyMatch(node -> size.fitsIn(free.getOrDefault(node.id(), Resources.NONE))));
        }

        /** The part of {@code lacking} that is left for {@code job}; nothing if it could not start with it. */
        Allocation more(JobTarget job, Allocation lacking) {
            String user = job.usage().user();
            Resources room = left.min(leftOfUsers.getOrDefault(user, left)).max(Resources.NONE);
            Allocation more = Allocation.NONE;
            for (Role role : List.of(Role.PARAMETER_SERVER, Role.WORKER)) {
                Resources task = job.demand().of(role).task();
                int count = (int) task.timesIn(room, lacking.count(role));
                room = room.minus(task.times(count));
                more = more.plus(role, count);
            }
            boolean starts = job.demand()
                    .minimum()
                    .isWithin(job.target().allocation().max(job.kept().plus(more)));
            if (!starts) {
                return Allocation.NONE;
            }
            take(user, job.demand().resources(more));
            return more;
        }
    }
}
