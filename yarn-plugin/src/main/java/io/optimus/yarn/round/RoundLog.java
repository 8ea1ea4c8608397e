package io.optimus.yarn.round;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The last rounds, newest first. */
public final class RoundLog {
    /** Two hours at the default interval. */
    private static final int KEPT = 120;

    private final Deque<RoundRecord> rounds = new ArrayDeque<>();

    synchronized void add(RoundRecord round) {
        rounds.addFirst(round);
        if (rounds.size() > KEPT) {
            rounds.removeLast();
        }
    }

    /** A copy. */
    public synchronized List<RoundRecord> newestFirst() {
        return List.copyOf(rounds);
    }
}
