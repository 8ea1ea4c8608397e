package io.optimus.yarn.cost;

import io.optimus.yarn.CountingCapacityScheduler;
import io.optimus.yarn.CountingScheduler;
import io.optimus.yarn.FreePort;
import io.optimus.yarn.read.LocalResourceManager;
import io.optimus.yarn.round.RoundTrigger;
import io.optimus.yarn.web.OptimusResource;
import java.io.PrintStream;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Measures the processor time of rounds and of the time between them on a large cluster, and of the scheduler's event thread
 * and of allocate calls beside them.
 *
 * <pre>
 *   RoundCost POLICY|stock NODES JOBS ORDINARY READERS
 * </pre>
 *
 * <p>With readers, so many clients also read the list of all jobs over HTTP once a second, while rounds run and masters
 * call, in turns with the same without clients.
 *
 * <p>{@code stock} measures YARN's CapacityScheduler with the same applications, of which the training jobs hold nothing.
 */
public final class RoundCost {
    private static final String ROUND = "optimus-";
    private static final String EVENTS = "SchedulerEventDispatcher:Event Processor";
    private static final int SECONDS = 15;
    private static final int ROUNDS = 8;
    private static final int TURNS = 3;

    private final LargeCluster cluster;
    private final PrintStream out;

    private RoundCost(LargeCluster cluster, PrintStream out) {
        this.cluster = cluster;
        this.out = out;
    }

    /** Runs all measurements and prints them. */
    @SuppressWarnings("CatchAndPrintStackTrace") // It is what this program prints.
    public static void main(String[] arguments) {
        int status = 1;
        try {
            run(arguments);
            status = 0;
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
        } finally {
            // Threads of the ResourceManager may live on.
            System.exit(status);
        }
    }

    private static void run(String[] arguments) throws Exception {
        boolean stock = arguments[0].equals("stock");
        int readers = Integer.parseInt(arguments[4]);
        String web = "localhost:" + FreePort.find();
        Map<String, String> settings = new HashMap<>(Map.of(
                "yarn.resourcemanager.optimus.address", "localhost:0",
                "yarn.scheduler.optimus.policy", stock ? "drf" : arguments[0],
                "yarn.scheduler.optimus.round-interval", "1h",
                "yarn.scheduler.optimus.round-gap", "10ms",
                "yarn.scheduler.optimus.round-time-budget", "10m",
                "yarn.scheduler.optimus.round-core-percent", "100"));
        if (readers > 0) {
            settings.put(YarnConfiguration.RM_WEBAPP_ADDRESS, web);
            settings.put(LocalResourceManager.WEB_CLASSES, OptimusResource.class.getName());
        }
        try (LargeCluster cluster = new LargeCluster(
                stock ? CountingCapacityScheduler.class : CountingScheduler.class,
                settings,
                Integer.parseInt(arguments[1]))) {
            cluster.startMasters(Integer.parseInt(arguments[2]));
            cluster.startOrdinary(Integer.parseInt(arguments[3]));
            if (!stock) {
                cluster.train();
            }
            RoundCost cost = new RoundCost(cluster, System.out);
            if (readers > 0) {
                cost.read("http://" + web + "/ws/v1/optimus/jobs?limit=1000", readers);
            } else {
                cost.measure(stock, String.join(" ", arguments));
            }
        }
    }

    private interface Load {
        void second(int second) throws Exception;
    }

    private void measure(boolean stock, String what) throws Exception {
        out.printf(Locale.ROOT, "%s: %d tasks%n", what, cluster.tasks());
        if (!stock) {
            rounds();
        }
        between("nothing happens", second -> {});
        double[] allocate = {0};
        between("every master and node heartbeats each 3 s", second -> {
            if (second % 3 == 0) {
                allocate[0] += cluster.heartbeatOfMasters() / (SECONDS / 3.0);
                cluster.heartbeatOfNodes();
            }
        });
        out.printf(Locale.ROOT, "  allocate without requests: %.1f us%n", 1e6 * allocate[0]);
        if (!stock) {
            between("every job reports each 5 s", second -> {
                if (second % 5 == 0) {
                    cluster.report();
                }
            });
        }
        between("100 ordinary containers end and start each second", second -> {
            for (int i = 0; i < 100; i++) {
                cluster.replaceContainer(100 * second + i);
            }
        });
    }

    /** Clients read all jobs, in turns with none; each turn has a round and a heartbeat of all masters a second. */
    private void read(String address, int clients) throws Exception {
        turn("warm-up", address, clients);
        for (int turn = 0; turn < TURNS; turn++) {
            turn("without", address, 0);
            turn("with", address, clients);
        }
    }

    private void turn(String what, String address, int clients) throws Exception {
        double rounds = ThreadTimes.seconds(ROUND);
        double[] allocate = {};
        long begin = System.nanoTime();
        try (Readers readers = new Readers(URI.create(address), clients)) {
            for (int second = 0; second < SECONDS; second++) {
                cluster.report();
                cluster.state().timer().signal(RoundTrigger.OPERATOR);
                allocate = DoubleStream.concat(
                                Arrays.stream(allocate), Arrays.stream(cluster.timedHeartbeatOfMasters()))
                        .toArray();
                long rest = begin + TimeUnit.SECONDS.toNanos(second + 1) - System.nanoTime();
                TimeUnit.NANOSECONDS.sleep(Math.max(0, rest));
            }
            out.printf(
                    Locale.ROOT,
                    "  %s %d clients: allocate %s; reads %s; rounds %.1f %% of a core; heap after collection %d MB%n",
                    what,
                    clients,
                    Readers.quantiles(allocate),
                    readers.inWords(),
                    100 * (ThreadTimes.seconds(ROUND) - rounds) / ((System.nanoTime() - begin) / 1e9),
                    Readers.heapMegabytes());
        }
    }

    private void between(String what, Load load) throws Exception {
        double rounds = ThreadTimes.seconds(ROUND);
        double events = ThreadTimes.seconds(EVENTS);
        long begin = System.nanoTime();
        for (int second = 0; second < SECONDS; second++) {
            load.second(second);
            long rest = begin + TimeUnit.SECONDS.toNanos(second + 1) - System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(Math.max(0, rest));
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        out.printf(
                Locale.ROOT,
                "  %s: round's threads %.1f %% of a core, event thread %.1f %%%n",
                what,
                100 * (ThreadTimes.seconds(ROUND) - rounds) / seconds,
                100 * (ThreadTimes.seconds(EVENTS) - events) / seconds);
    }

    private void rounds() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            cluster.report();
            double before = ThreadTimes.seconds(ROUND);
            long begin = System.nanoTime();
            long number = cluster.state().log().run();
            cluster.state().timer().signal(RoundTrigger.OPERATOR);
            cluster.awaitRound(number);
            out.printf(
                    Locale.ROOT,
                    "  round: %.3f s of processor time, %.3f s%n",
                    ThreadTimes.seconds(ROUND) - before,
                    (System.nanoTime() - begin) / 1e9);
        }
    }
}
