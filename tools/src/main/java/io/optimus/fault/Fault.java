package io.optimus.fault;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What happens to a process, to the file system of the jobs, or to the network. */
enum Fault {
    KILL_WORKER(Victim.WORKER, false),
    KILL_SERVER(Victim.SERVER, false),
    KILL_MASTER(Victim.MASTER, false),
    STOP_WORKER(Victim.WORKER, true),
    STOP_SERVER(Victim.SERVER, true),
    STOP_MASTER(Victim.MASTER, true),
    RESTART_NODE_MANAGER(Victim.NODE_MANAGER, false),
    STOP_NODE_MANAGER(Victim.NODE_MANAGER, true),
    RESTART_RESOURCE_MANAGER(Victim.RESOURCE_MANAGER, false),
    STOP_RESOURCE_MANAGER(Victim.RESOURCE_MANAGER, true),
    FILL_STORE(Victim.STORE, true),
    READ_ONLY_STORE(Victim.STORE, true),
    CUT_NODE(Victim.NETWORK, true),
    CUT_ONE_WAY(Victim.NETWORK, true),
    SLOW_NETWORK(Victim.NETWORK, true);

    /** Who or what a fault happens to. */
    enum Victim {
        WORKER,
        SERVER,
        MASTER,
        NODE_MANAGER,
        RESOURCE_MANAGER,
        STORE,
        NETWORK
    }

    private final Victim victim;
    private final boolean lasts;

    Fault(Victim victim, boolean lasts) {
        this.victim = victim;
        this.lasts = lasts;
    }

    Victim victim() {
        return victim;
    }

    /** Whether it is over after some seconds; a process that is killed stays dead. */
    boolean lasts() {
        return lasts;
    }

    /**
     * The faults of these words, which spaces separate; all if there is none.
     *
     * @throws IllegalArgumentException if there is no such fault
     */
    static List<Fault> named(String words) {
        return words.isBlank()
                ? List.of(values())
                : Arrays.stream(words.split(" "))
                        .map(word -> valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')))
                        .toList();
    }

    /** The word in reports, such as {@code kill-worker}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
