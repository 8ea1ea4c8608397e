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

    /** How many rounds were run, those that are not kept any more among them. */
    public synchronized long run() {
        return rounds.isEmpty() ? 0 : rounds.getFirst().number();
    }

    /** A copy. */
    public synchronized List<RoundRecord> newestFirst() {
        return List.copyOf(rounds);
    }
}
