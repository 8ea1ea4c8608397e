package io.optimus.am.coordinator;

import io.optimus.am.engine.ProgramReport;
import io.optimus.am.membership.Membership;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.Keep;
import io.optimus.am.wire.Message.Returned;
import io.optimus.am.wire.TaskId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The tasks of an earlier attempt of the ApplicationMaster, which come to the coordinator of this one. While they come, nothing
 * else happens. What they were doing is not known before all are here: then they say which membership was the last.
 */
final class ReturningTasks {
    private final Set<TaskId> awaited;
    private final long untilNanos;
    private final Runnable done;
    private final Map<TaskId, Returned> returned = new TreeMap<>();
    /** The messages of those that are ready. */
    private final Map<TaskId, FromTask> ready = new TreeMap<>();

    /** Steps that were reported meanwhile. */
    private final List<Message.Applied> applied = new ArrayList<>();

    /** What the program of each task has reported, before it came back and since. */
    private final Map<TaskId, List<ProgramReport>> reports = new TreeMap<>();

    private Optional<Set<TaskId>> target = Optional.empty();

    /**
     * Waits for tasks.
     *
     * @param tasks all that may come
     * @param untilNanos when those that have not come are given up
     * @param done runs when training goes on
     */
    ReturningTasks(Set<TaskId> tasks, long untilNanos, Runnable done) {
        this.awaited = new TreeSet<>(tasks);
        this.untilNanos = untilNanos;
        this.done = done;
    }

    /** The membership that goes on, as its members have kept it. */
    record Last(Keep kept, List<Message.Applied> applied, List<ProgramReport> reports) {
        /** The newest that any task has kept, with what the task that reports its steps has reported since. */
        private static Optional<Last> of(
                Map<TaskId, Returned> returned,
                List<Message.Applied> meanwhile,
                Map<TaskId, List<ProgramReport>> reports) {
            return newest(returned)
                    .map(kept -> new Last(kept, applied(returned, meanwhile, kept), reports(reports, kept)));
        }

        private static Optional<Keep> newest(Map<TaskId, Returned> returned) {
            return returned.values().stream()
                    .flatMap(back -> back.kept().stream())
                    .max(Comparator.comparing(Keep::number).thenComparing(Keep::step));
        }

        private static List<Message.Applied> applied(
                Map<TaskId, Returned> returned, List<Message.Applied> meanwhile, Keep kept) {
            return Stream.concat(
                            returned.values().stream().flatMap(back -> back.applied().stream()), meanwhile.stream())
                    .filter(steps -> !steps.number().isOlderThan(kept.number()))
                    .sorted(Comparator.comparing(Message.Applied::first))
                    .toList();
        }

        /** Those of the first worker, as while training goes on. */
        private static List<ProgramReport> reports(Map<TaskId, List<ProgramReport>> reports, Keep kept) {
            return kept.workers().stream()
                    .findFirst()
                    .map(reports::get)
                    .map(List::copyOf)
                    .orElse(List.of());
        }
    }

    /** Takes a message of a task. Its answers to the lost coordinator's orders count no more. */
    void received(TaskId task, FromTask message) {
        if (message instanceof Returned back) {
            awaited.remove(task);
            returned.put(task, back);
            reports.put(task, new ArrayList<>(back.reports()));
        } else if (message instanceof Message.WorkerReady || message instanceof Message.ServerReady) {
            ready.put(task, message);
        } else if (message instanceof Message.Applied steps) {
            applied.add(steps);
        } else if (message instanceof Message.Reported reported) {
            reports.computeIfAbsent(task, none -> new ArrayList<>()).add(reported.report());
        }
    }

    /** The task does not come. */
    void lost(TaskId task) {
        awaited.remove(task);
        returned.remove(task);
        reports.remove(task);
        ready.remove(task);
    }

    void target(Set<TaskId> members) {
        target = Optional.of(members);
    }

    /** Whether all have come that will. */
    boolean areComplete(long nowNanos) {
        return (awaited.isEmpty() && ready.keySet().containsAll(members())) || nowNanos >= untilNanos;
    }

    /** Those that have come and were members. What one was told to keep may be lost with the coordinator before it was read. */
    private Set<TaskId> members() {
        Set<TaskId> members = new TreeSet<>();
        Last.newest(returned).ifPresent(kept -> {
            members.addAll(kept.workers());
            kept.servers().forEach(shard -> members.add(shard.server().task()));
        });
        returned.forEach((task, back) -> back.kept().ifPresent(kept -> members.add(task)));
        members.retainAll(returned.keySet());
        return members;
    }

    /** Those that have not come. */
    Set<TaskId> missing() {
        return awaited;
    }

    /** Those that have come. */
    Set<TaskId> tasks() {
        return returned.keySet();
    }

    /** The messages of those that are ready. */
    Map<TaskId, FromTask> ready() {
        return ready;
    }

    /** The target that was set while they came. */
    Optional<Set<TaskId>> target() {
        return target;
    }

    /**
     * Returns the last membership, if the tasks that have come still hold its parameters.
     *
     * @param onServers whether servers hold the parameters, all of which are needed then; otherwise each worker does
     */
    Optional<Last> last(boolean onServers) {
        return Last.of(returned, applied, reports)
                .filter(last -> onServers ? serversHold(last.kept) : anyWorkerHolds(last.kept));
    }

    private boolean serversHold(Keep kept) {
        return ready.keySet().stream()
                        .anyMatch(task -> !Membership.workers(Set.of(task)).isEmpty())
                && kept.servers().stream().map(shard -> shard.server().task()).allMatch(server -> {
                    Returned back = returned.get(server);
                    return back != null
                            && ready.containsKey(server)
                            && back.held().contains(kept.number());
                });
    }

    private boolean anyWorkerHolds(Keep kept) {
        return kept.workers().stream().anyMatch(ready::containsKey);
    }

    /** Training goes on. */
    void end() {
        done.run();
    }
}
