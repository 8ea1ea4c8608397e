package io.optimus.am.master.plan;

import io.optimus.am.configuration.MasterSettings.FailureLimits;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Role;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Counts failed tasks by role, which ends the job, and by node, which makes the job avoid the node.
 *
 * <p>With 2 retries for workers, the third failed worker within the window ends the job. Tasks that are lost together, before
 * YARN reports that their containers have ended, count once for the job: most likely a node or a network failed, which YARN
 * notices only minutes later. So do tasks of one node that do not start: it may have failed before they had connected.
 *
 * <p>Workers that are replaced because they are slow count against their node only.
 *
 * <p>Tasks whose files a node cannot fetch count for the job only once that has gone on for as long as its store may fail,
 * while no other task became ready.
 *
 * <p>A job that has stayed below its minimum for the back-off while it avoided nodes uses them again, since no other node
 * has room for it. Failures before that no longer count against nodes, but still against the job: tasks that fail on
 * every node still end it.
 */
final class TaskFailures {
    /** Diagnostics of YARN may hold a whole stack of shell output; the last part has the cause. */
    private static final int DIAGNOSTICS_LIMIT = 2_000;

    /** The tasks of a node or a network that is gone are noticed within two time-outs of each other. */
    private static final long TOGETHER_MILLIS = 30_000;

    private static final long NOT_BELOW_MINIMUM = Long.MAX_VALUE;
    private static final long FILES_ARRIVE = Long.MAX_VALUE;
    private static final int COOL_DOWNS = 2;

    private final FailureLimits limits;
    private final ToIntFunction<Role> retries;
    private final Predicate<Role> growing;
    private final LongSupplier clock;
    private final Deque<Failure> failures = new ArrayDeque<>();

    /** When YARN last left a request unmet, by node. */
    private final Map<String, Long> unmetAtMillis = new HashMap<>();

    /** Number of the oldest failures that count against no node any more. */
    private int forgiven;

    private SortedSet<String> avoided = Collections.emptySortedSet();
    private long belowMinimumSinceMillis = NOT_BELOW_MINIMUM;
    private long filesLackedSinceMillis = FILES_ARRIVE;
    private long filesLackedMillis = FILES_ARRIVE;

    /**
     * No failures yet.
     *
     * @param retries how often tasks of a role may fail before the job does
     * @param growing whether tasks of a role get more memory by themselves
     * @param clock milliseconds since any moment
     */
    TaskFailures(FailureLimits limits, ToIntFunction<Role> retries, Predicate<Role> growing, LongSupplier clock) {
        this.limits = limits;
        this.retries = retries;
        this.growing = growing;
        this.clock = clock;
    }

    /** Records a failure. Returns the job's diagnostics if the role has no retries left. */
    Optional<String> record(JobTask task, ContainerExit exit) {
        long now = clock.getAsLong();
        forgetOld(now);
        boolean counts = exit.lacksFiles()
                ? !storeMayRecover(now)
                : failures.stream().noneMatch(earlier -> earlier.counts && earlier.wasLostWith(task, exit, now));
        failures.addLast(new Failure(now, task, exit, counts));
        long ofRole = failures.stream()
                .filter(failure -> failure.counts && failure.task.role() == task.role())
                .count();
        int allowed = retries.applyAsInt(task.role());
        return ofRole <= allowed ? Optional.empty() : Optional.of(describe(task, exit, ofRole, allowed));
    }

    /** A task is replaced because it was slow, which counts against its node only. */
    void straggled(JobTask task, ContainerExit exit) {
        failures.addLast(new Failure(clock.getAsLong(), task, exit, false));
    }

    /** The files of tasks are on the cluster's file system, which may fail for a while. */
    private boolean storeMayRecover(long now) {
        // Failures further apart than this belong to different outages: meanwhile tasks are started again after each
        // cool-down.
        long longestGap = Math.max(
                limits.store().toMillis(), COOL_DOWNS * limits.coolDown().toMillis());
        if (filesLackedSinceMillis == FILES_ARRIVE || now - filesLackedMillis > longestGap) {
            filesLackedSinceMillis = now;
        }
        filesLackedMillis = now;
        return now - filesLackedSinceMillis < limits.store().toMillis();
    }

    /** A task is ready, so its node could fetch its files. */
    void filesArrived() {
        filesLackedSinceMillis = FILES_ARRIVE;
    }

    /** YARN has not met a request on {@code node} in time, although the plan counts on room there. */
    void unmet(String node) {
        unmetAtMillis.put(node, clock.getAsLong());
    }

    /**
     * Decides which nodes to avoid now.
     *
     * @param belowMinimum whether the job has fewer tasks than its minimum
     * @return whether {@link #avoidedNodes} has changed
     */
    boolean updateAvoidedNodes(boolean belowMinimum) {
        long now = clock.getAsLong();
        SortedSet<String> nodes = failures.stream()
                .map(failure -> failure.task.container().node())
                .filter(node -> failedOften(node, now))
                .collect(Collectors.toCollection(TreeSet::new));
        if (nodes.isEmpty() || !belowMinimum) {
            belowMinimumSinceMillis = NOT_BELOW_MINIMUM;
        } else {
            belowMinimumSinceMillis = Math.min(belowMinimumSinceMillis, now);
            if (now - belowMinimumSinceMillis >= limits.backOff().toMillis()) {
                forgiven = failures.size();
                unmetAtMillis.clear();
                nodes.clear();
            }
        }
        boolean changed = !nodes.equals(avoided);
        avoided = Collections.unmodifiableSortedSet(nodes);
        return changed;
    }

    /** YARN's ids of nodes where tasks failed so often that none is started there for now. */
    SortedSet<String> avoidedNodes() {
        return avoided;
    }

    /** One failure is enough if YARN also leaves requests on the node unmet: the node may be gone. */
    private boolean failedOften(String node, long now) {
        long coolDownFrom = now - limits.coolDown().toMillis();
        long recent = failures.stream()
                .skip(forgiven)
                .filter(failure -> failure.atMillis > coolDownFrom)
                .filter(failure -> failure.task.container().node().equals(node))
                .count();
        boolean unmet = unmetAtMillis.getOrDefault(node, Long.MIN_VALUE) > coolDownFrom;
        return recent >= (unmet ? 1 : limits.count());
    }

    private String describe(JobTask task, ContainerExit exit, long count, int allowed) {
        TaskContainer container = task.container();
        String output = exit.diagnostics().strip();
        String tail = output.length() <= DIAGNOSTICS_LIMIT
                ? output
                : "…" + output.substring(output.length() - DIAGNOSTICS_LIMIT);
        String role =
                switch (task.role()) {
                    case WORKER -> "workers";
                    case PARAMETER_SERVER -> "parameter servers";
                };
        return "too many " + role + " failed: " + count + " within "
                + limits.window().toMinutes()
                + " min, and the job allows " + allowed + (allowed == 1 ? " retry" : " retries")
                + ". The last failure: " + task.id() + " " + exit.inWords(container, growing.test(task.role()))
                + " on node " + container.node() + " (container " + container.id() + "). Log: " + container.logUrl()
                + (output.contains(task.lossReason()) ? "" : "\nReason: " + task.lossReason())
                + "\nLast output: " + tail;
    }

    private void forgetOld(long now) {
        long from = now - limits.window().toMillis();
        while (!failures.isEmpty() && failures.getFirst().atMillis < from) {
            failures.removeFirst();
            forgiven = Math.max(0, forgiven - 1);
        }
    }

    private record Failure(long atMillis, JobTask task, ContainerExit exit, boolean counts) {
        boolean wasLostWith(JobTask other, ContainerExit how, long now) {
            boolean together = task.role() == other.role() && now - atMillis <= TOGETHER_MILLIS;
            boolean sameNode = task.container().node().equals(other.container().node());
            boolean bothSilent = exit.status() == ContainerExit.SILENT && how.status() == ContainerExit.SILENT;
            return together && (bothSilent || (sameNode && exit.isUnexplained() && how.isUnexplained()));
        }
    }
}
