package io.optimus.yarn.round;

import io.optimus.yarn.read.ClusterView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The last rounds, and what was seen last, for REST. */
public final class RoundLog {
    /** Two hours at the default interval. */
    private static final int KEPT = 120;

    private final Deque<Entry> rounds = new ArrayDeque<>();
    private volatile Optional<ClusterView> view = Optional.empty();

    /**
     * One round.
     *
     * @param number counts from 1 in each ResourceManager
     * @param startedMillis when it started, by the wall clock
     * @param durationMillis how long it took
     * @param jobs how many jobs it planned
     * @param plan number of the plan that held afterwards
     * @param changes jobs that this plan gives other tasks than the plan before
     * @param triggers why it ran before its regular time; empty for a regular round
     * @param outcome its decision in words; names no application, since everybody may read it
     */
    public record Entry(
            long number,
            long startedMillis,
            long durationMillis,
            int jobs,
            long plan,
            int changes,
            Set<RoundTrigger> triggers,
            String outcome) {
        public Entry {
            triggers = Set.copyOf(triggers);
        }
    }

    void saw(ClusterView latest) {
        view = Optional.of(latest);
    }

    /** The cluster as it was seen last; empty before the first round. */
    public Optional<ClusterView> lastView() {
        return view;
    }

    /** Forgets what was seen: it has as many objects as the cluster has nodes. */
    public void forgetView() {
        view = Optional.empty();
    }

    synchronized void add(Entry round) {
        rounds.addFirst(round);
        if (rounds.size() > KEPT) {
            rounds.removeLast();
        }
    }

    /** The number of rounds so far, including those that are not kept any more. */
    public synchronized long run() {
        return rounds.isEmpty() ? 0 : rounds.getFirst().number();
    }

    /** A copy of the rounds that are kept. */
    public synchronized List<Entry> newestFirst() {
        return List.copyOf(rounds);
    }
}
