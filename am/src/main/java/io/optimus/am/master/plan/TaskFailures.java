package io.optimus.am.master.plan;

import io.optimus.am.configuration.MasterSettings;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.model.Role;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Counts failed tasks by role and by node, within a window of time.
 *
 * <p>With 2 retries for workers, the third failed worker within the window ends the job. Tasks that fall silent together
 * on a node count once: not they failed, but most likely their node, which YARN takes minutes to notice.
 */
public final class TaskFailures {
    /** Diagnostics of YARN may hold a whole stack of shell output; the last part has the cause. */
    private static final int DIAGNOSTICS_LIMIT = 2_000;
    /** Tasks of a node that is gone are noticed within two time-outs of each other: a broken connection, or silence. */
    private static final long TOGETHER_MILLIS = 30_000;

    private final MasterSettings settings;
    private final ToIntFunction<Role> retries;
    private final String user;
    private final Deque<Failure> failures = new ArrayDeque<>();
    /** When YARN last gave nothing for an ask, by node. */
    private final Map<String, Long> unmetAtMillis = new HashMap<>();

    /** So many of the oldest failures count against no node. */
    private int forgiven;

    /**
     * A ledger without failures.
     *
     * @param retries how often tasks of a role may fail before the job does
     * @param user who runs the containers, for links to their logs
     */
    public TaskFailures(MasterSettings settings, ToIntFunction<Role> retries, String user) {
        this.settings = settings;
        this.retries = retries;
        this.user = user;
    }

    /** Notes a failure; returns the job's diagnostics when it was one too many. */
    Optional<String> record(JobTask task, ContainerExit exit, long nowMillis) {
        forgetOld(nowMillis);
        boolean counts = exit.status() != ContainerExit.SILENT
                || failures.stream().noneMatch(earlier -> earlier.sharesItsCauseWith(task, nowMillis));
        failures.addLast(new Failure(nowMillis, task, exit, counts));
        long ofRole = failures.stream()
                .filter(failure -> failure.counts && failure.task.role() == task.role())
                .count();
        int allowed = retries.applyAsInt(task.role());
        return ofRole <= allowed ? Optional.empty() : Optional.of(describe(task, exit, ofRole, allowed));
    }

    /** YARN has given nothing on {@code node} though the plan says that there is room. */
    void unmet(String node, long nowMillis) {
        unmetAtMillis.put(node, nowMillis);
    }

    /** Nodes where tasks failed so often that none shall start there now, in the order of their first failure. */
    List<String> avoided(long nowMillis) {
        return failures.stream()
                .map(failure -> failure.task.grant().node())
                .distinct()
                .filter(node -> avoids(node, nowMillis))
                .toList();
    }

    /** Blames no node for what failed so far; the job's retries are not given back. */
    void forgiveNodes() {
        forgiven = failures.size();
        unmetAtMillis.clear();
    }

    /** One failure is enough where YARN gives nothing on the node either: it may be gone. */
    private boolean avoids(String node, long nowMillis) {
        long coolDownFrom = nowMillis - settings.nodes().coolDown().toMillis();
        long recent = failures.stream()
                .skip(forgiven)
                .filter(failure -> failure.atMillis > coolDownFrom)
                .filter(failure -> failure.task.grant().node().equals(node))
                .count();
        boolean unmet = unmetAtMillis.getOrDefault(node, Long.MIN_VALUE) > coolDownFrom;
        return recent >= (unmet ? 1 : settings.nodes().count());
    }

    /** Where the task's log is to be read; empty where the NodeManager's web address is not known. */
    public String logUrl(TaskContainer grant) {
        return grant.nodeWeb().isEmpty()
                ? ""
                : "http://" + grant.nodeWeb() + "/node/containerlogs/" + grant.container() + "/" + user;
    }

    private String describe(JobTask task, ContainerExit exit, long count, int allowed) {
        return task.id() + " failed with " + exit.inWords() + " on node "
                + task.grant().node() + " (container "
                + task.grant().container() + "); failures of this role: " + count + ", allowed: " + allowed
                + ". Log: " + logUrl(task.grant()) + "\nLast words: " + tail(exit.diagnostics());
    }

    private static String tail(String text) {
        String trimmed = text.strip();
        return trimmed.length() <= DIAGNOSTICS_LIMIT
                ? trimmed
                : "…" + trimmed.substring(trimmed.length() - DIAGNOSTICS_LIMIT);
    }

    private void forgetOld(long nowMillis) {
        long from = nowMillis - settings.nodes().window().toMillis();
        while (!failures.isEmpty() && failures.getFirst().atMillis < from) {
            failures.removeFirst();
            forgiven = Math.max(0, forgiven - 1);
        }
    }

    private record Failure(long atMillis, JobTask task, ContainerExit exit, boolean counts) {
        boolean sharesItsCauseWith(JobTask other, long nowMillis) {
            return exit.status() == ContainerExit.SILENT
                    && task.role() == other.role()
                    && task.grant().node().equals(other.grant().node())
                    && nowMillis - atMillis <= TOGETHER_MILLIS;
        }
    }
}
