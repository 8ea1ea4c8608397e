package io.optimus.fault;

import io.optimus.fault.Fault.Victim;
import io.optimus.fault.JobProcesses.JobProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Lets faults happen in a local cluster, one after the other. The same seed gives the same kinds and durations. */
final class FaultInjector {
    private static final int SHORTEST_STOP = 5;
    private static final int RESTART_SECONDS = 3;

    private final Path runDir;
    private final int nodes;
    private final Means means;
    private final List<Fault> kinds;
    private final int longestStop;
    private final Random random;

    /**
     * What can be done on this machine.
     *
     * @param ownStore whether the jobs' directories lie on a file system of their own, which may be filled and covered
     * @param cutsNetworks whether each node has a network of its own
     */
    record Means(boolean ownStore, boolean cutsNetworks) {}

    /**
     * Prepares faults.
     *
     * @param nodes the number of NodeManagers
     * @param kinds of the faults, one or more
     * @param longestStop seconds, {@value #SHORTEST_STOP} or more
     */
    FaultInjector(Path runDir, int nodes, Means means, List<Fault> kinds, int longestStop, long seed) {
        this.runDir = runDir;
        this.nodes = nodes;
        this.means = means;
        this.kinds = List.copyOf(kinds);
        this.longestStop = longestStop;
        this.random = new Random(seed);
    }

    /** Waits for some seconds before the next fault. */
    void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(3_000 + random.nextInt(7_000));
    }

    /**
     * Lets the next fault happen to one of {@code applications}, and waits until it is over.
     *
     * @return empty if there is nothing that it could happen to
     */
    Optional<InjectedFault> next(Collection<String> applications) throws IOException, InterruptedException {
        Fault fault = kinds.get(random.nextInt(kinds.size()));
        int which = random.nextInt(1 << 20);
        int seconds = SHORTEST_STOP + random.nextInt(longestStop - SHORTEST_STOP + 1);
        return switch (fault.victim()) {
            case WORKER, SERVER, MASTER -> task(fault, which, seconds, applications);
            case NODE_MANAGER -> nodeManager(fault, 1 + which % nodes, seconds);
            case RESOURCE_MANAGER -> daemon(fault, new Daemon(runDir, "resourcemanager", Optional.empty()), seconds);
            case STORE -> means.ownStore ? store(fault, seconds) : Optional.empty();
            case NETWORK -> means.cutsNetworks ? disturb(fault, which, seconds) : Optional.empty();
        };
    }

    private Optional<InjectedFault> task(Fault fault, int which, int seconds, Collection<String> applications)
            throws IOException, InterruptedException {
        String prefix =
                fault.victim() == Victim.WORKER ? "worker-" : fault.victim() == Victim.SERVER ? "ps-" : "master";
        List<JobProcess> candidates = new ArrayList<>();
        for (JobProcess process : JobProcesses.in(runDir.resolve("nodes"))) {
            if (process.task().startsWith(prefix) && applications.contains(process.application())) {
                candidates.add(process);
            }
        }
        if (candidates.isEmpty()) {
            return Optional.empty();
        }
        candidates.sort(Comparator.comparing(JobProcess::application).thenComparing(JobProcess::task));
        JobProcess victim = candidates.get(which % candidates.size());
        long from = System.currentTimeMillis();
        if (fault.lasts()) {
            stop(victim.pid(), seconds);
        } else {
            Signal.KILL.send(victim.pid());
        }
        return Optional.of(
                new InjectedFault(fault, victim.application(), victim.task(), from, System.currentTimeMillis()));
    }

    private Optional<InjectedFault> nodeManager(Fault fault, int node, int seconds)
            throws IOException, InterruptedException {
        Optional<NodeNetwork> network = means.cutsNetworks ? Optional.of(new NodeNetwork(node)) : Optional.empty();
        return daemon(fault, new Daemon(runDir, "nodemanager-" + node, network), seconds);
    }

    private static Optional<InjectedFault> daemon(Fault fault, Daemon daemon, int seconds)
            throws IOException, InterruptedException {
        long from = System.currentTimeMillis();
        if (fault.lasts()) {
            stop(daemon.pid(), seconds);
        } else {
            daemon.restart(RESTART_SECONDS);
        }
        return Optional.of(new InjectedFault(fault, "", daemon.name(), from, System.currentTimeMillis()));
    }

    /** Cuts a node off, drops what a node sends to the next one, or slows down what is sent to a node. */
    private Optional<InjectedFault> disturb(Fault fault, int which, int seconds)
            throws IOException, InterruptedException {
        NodeNetwork network = new NodeNetwork(1 + which % nodes);
        NodeNetwork other = new NodeNetwork(1 + (which + 1) % nodes);
        String target = "node-" + network.node();
        long from = System.currentTimeMillis();
        if (fault == Fault.CUT_NODE) {
            network.cut();
            during(seconds, network::mend);
        } else if (fault == Fault.CUT_ONE_WAY) {
            target += " to node-" + other.node();
            network.cutTo(other);
            during(seconds, () -> network.mendTo(other));
        } else {
            network.slowDown();
            during(seconds, network::speedUp);
        }
        return Optional.of(new InjectedFault(fault, "", target, from, System.currentTimeMillis()));
    }

    private static void stop(long pid, int seconds) throws IOException, InterruptedException {
        Signal.STOP.send(pid);
        during(seconds, () -> Signal.CONT.send(pid));
    }

    private interface Mend {
        void run() throws IOException, InterruptedException;
    }

    /** Lets a fault last, and mends it in any case. */
    private static void during(int seconds, Mend mend) throws IOException, InterruptedException {
        try {
            TimeUnit.SECONDS.sleep(seconds);
        } finally {
            mend.run();
        }
    }

    private Optional<InjectedFault> store(Fault fault, int seconds) throws IOException, InterruptedException {
        JobStore store = new JobStore(runDir.resolve("staging"));
        long from = System.currentTimeMillis();
        if (fault == Fault.FILL_STORE) {
            store.fill(seconds);
        } else {
            store.makeReadOnly(seconds);
        }
        return Optional.of(new InjectedFault(fault, "", "the jobs' file system", from, System.currentTimeMillis()));
    }
}
