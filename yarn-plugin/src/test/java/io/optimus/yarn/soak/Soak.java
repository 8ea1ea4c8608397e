package io.optimus.yarn.soak;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEvent;
import org.apache.hadoop.yarn.server.resourcemanager.amlauncher.AMLauncherEventType;

/**
 * A soak: applications come and go on simulated nodes while random events happen, and invariants are checked each second. All
 * that is random follows from the seed; what the ResourceManager's threads make of it does not.
 */
final class Soak implements AutoCloseable {
    private static final long TICK_MILLIS = 20;
    private static final long CHECK_MILLIS = 1000;
    private static final long SAMPLES = 30;
    private static final long QUIET_SECONDS = 30;
    /** How long after the last arrivals and events all applications have to end. */
    private static final double PATIENCE = 0.5;

    private static final long LEAST_PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private final SoakOptions options;
    private final SoakCluster cluster;
    private final SoakLog log;
    private final Queue<Script> arrivals;
    private final List<SimulatedApplication> live = new ArrayList<>();
    private final Map<ApplicationId, SimulatedApplication> byId = new HashMap<>();
    private final SoakEvents events;
    private final Invariants invariants;
    private final SoakReport report;
    private long startNanos = System.nanoTime();
    private long nextCheckMillis;
    private long nextSampleMillis;
    private int idleThreads;

    Soak(SoakOptions options) throws Exception {
        this.options = options;
        System.out.println("soak: " + options + ", " + options.nodes() + " nodes");
        Files.createDirectories(options.output());
        Path folder = options.output().resolve("cluster").toAbsolutePath();
        delete(folder);
        Files.createDirectories(folder);
        this.log = new SoakLog(options.output().resolve("scheduler.log"));
        this.cluster = new SoakCluster(folder, options.nodes(), settings(folder));
        this.arrivals = new ArrayDeque<>(Scenario.of(options));
        this.events = new SoakEvents(options, cluster, () -> live);
        this.invariants = new Invariants(cluster, live);
        this.report = new SoakReport(options);
    }

    private static Map<String, String> settings(Path folder) {
        String queues = "yarn.scheduler.capacity.root.";
        String keys = "yarn.scheduler.optimus.";
        Map<String, String> settings = new HashMap<>(Map.of(
                queues + "queues", String.join(",", Scenario.QUEUES),
                queues + "research.capacity", "40",
                queues + "production.capacity", "30",
                queues + "batch.capacity", "30",
                keys + "round-interval", "10s",
                keys + "round-gap", "1s",
                keys + "grace-time", "5s",
                keys + "preemption-wait", "3s",
                keys + "recovery-timeout", "20s"));
        settings.put(keys + "exploration-time", "20s");
        settings.put(keys + "queue.root.production.policy", "optimus");
        settings.put(keys + "orders-file", folder.resolve("orders.json").toUri().toString());
        settings.put(queues + "default.capacity", "0");
        Scenario.QUEUES.forEach(queue -> settings.put(queues + queue + ".user-limit-factor", "10"));
        return settings;
    }

    private long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    /** Runs it to its end, and writes the report. */
    SoakReport run() throws Exception {
        awaitNodes();
        Sample idle = Sample.take(now(), 0, log);
        idleThreads = idle.threads();
        report.sample(idle);
        nextSampleMillis = sampleDistance();
        long last = options.millis() + Math.max(LEAST_PATIENCE_MILLIS, (long) (PATIENCE * options.millis()));
        while ((now() < options.millis() || !live.isEmpty() || !arrivals.isEmpty()) && now() < last) {
            tick();
            Thread.sleep(TICK_MILLIS);
        }
        for (SimulatedApplication application : live) {
            invariants.violate(application.id() + " end", application.description() + " has not ended");
        }
        awaitQuiet();
        report.sample(Sample.take(now(), live.size(), log));
        report.finish(invariants, events, log);
        return report;
    }

    private long sampleDistance() {
        return Math.max(TimeUnit.SECONDS.toMillis(10), options.millis() / SAMPLES);
    }

    private void awaitNodes() throws Exception {
        while (cluster.scheduler().getNumClusterNodes() < options.nodes()) {
            cluster.register();
            Thread.sleep(TICK_MILLIS);
        }
        startNanos = System.nanoTime();
    }

    private void tick() throws Exception {
        long now = now();
        for (AMLauncherEvent event : cluster.launches()) {
            launch(event, now);
        }
        while (!arrivals.isEmpty() && arrivals.element().submission().atMillis() <= now) {
            submit(arrivals.remove());
        }
        cluster.heartbeat(now);
        for (SimulatedApplication application : List.copyOf(live)) {
            application.step(now());
            if (application.hasEnded()) {
                live.remove(application);
                byId.remove(application.id());
                report.ended(application);
            }
        }
        events.step(now());
        if (now >= nextCheckMillis) {
            nextCheckMillis = now + CHECK_MILLIS;
            invariants.check(now, events.holdBack(now));
        }
        if (now >= nextSampleMillis) {
            nextSampleMillis = now + sampleDistance();
            report.sample(Sample.take(now, live.size(), log));
        }
    }

    private void launch(AMLauncherEvent event, long now) {
        ApplicationAttemptId attempt = event.getAppAttempt().getAppAttemptId();
        var container = event.getAppAttempt().getMasterContainer();
        if (event.getType() == AMLauncherEventType.LAUNCH) {
            Optional.ofNullable(byId.get(attempt.getApplicationId()))
                    .ifPresent(application -> application.launch(attempt, container, now));
        } else {
            cluster.node(container.getNodeId()).stop(container.getId(), 0);
        }
    }

    private void submit(Script script) throws Exception {
        SimulatedApplication application = SimulatedApplication.submit(cluster, script);
        live.add(application);
        byId.put(application.id(), application);
        report.submitted(script);
    }

    /** Waits until all containers and connections of ended applications are gone. */
    private void awaitQuiet() throws Exception {
        long end = now() + TimeUnit.SECONDS.toMillis(QUIET_SECONDS);
        while (now() < end && !isQuiet()) {
            cluster.launches().forEach(event -> launch(event, now()));
            cluster.heartbeat(now());
            Thread.sleep(TICK_MILLIS);
        }
        cluster.nodes().stream()
                .filter(node -> node.size() > 0)
                .forEach(node ->
                        invariants.violate(node, node.id() + " runs " + node.size() + " containers at the end"));
        cluster.scheduler().getAllNodes().stream()
                .filter(node -> node.getNumContainers() > 0)
                .forEach(node -> invariants.violate(
                        node, node.getNodeID() + " holds " + node.getNumContainers() + " containers at the end"));
    }

    private boolean isQuiet() {
        return cluster.nodes().stream().allMatch(node -> node.size() == 0)
                && cluster.scheduler().getAllNodes().stream().allMatch(node -> node.getNumContainers() == 0)
                && ManagementFactory.getThreadMXBean().getThreadCount() <= idleThreads;
    }

    private static void delete(Path folder) throws Exception {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public void close() {
        cluster.close();
        log.close();
    }
}
