package io.optimus.sls;

import io.optimus.sls.applications.OrdinaryApplication;
import io.optimus.sls.applications.SimulatedApplication;
import io.optimus.sls.applications.Training;
import io.optimus.sls.measure.MeasuredScheduler;
import io.optimus.sls.measure.SchedulerRecord;
import io.optimus.sls.measure.ThreadTimes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures one scheduler under one workload, in a JVM of its own: its folder holds the settings, and receives the measurement.
 *
 * <p>The JVM ends as soon as the measurement is written, and at once when the process that started it has ended.
 */
public final class SideRun {
    private static final Logger LOG = LoggerFactory.getLogger(SideRun.class);
    /** So that users' limits are computed for more than one user. */
    private static final int USERS = 10;

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_MB = 1e6;
    private static final int FAILED = 1;
    static final int LATEST_START_SECONDS = 30;
    private static final long LOOK_MILLIS = 100;

    private final RunSettings run;
    private final Workload workload;
    private final SimulatedCluster cluster;
    private final List<Training> trainings = new ArrayList<>();
    private final AtomicInteger submitted = new AtomicInteger();

    private SideRun(RunSettings run, SimulatedCluster cluster) {
        this.run = run;
        this.workload = run.workload();
        this.cluster = cluster;
    }

    /** Measures as the file in the folder {@code arguments[0]} says. */
    public static void main(String[] arguments) throws Exception {
        endWithParent();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> failure.compareAndSet(null, e));
        Path folder = Path.of(arguments[0]);
        RunSettings run = RunSettings.read(folder);
        int exit = FAILED;
        try {
            Configuration conf = ClusterConfiguration.of(run, folder);
            ResourceUtils.resetResourceTypes(conf);
            SimulatedCluster cluster =
                    SimulatedCluster.start(conf, run.workload().nodes(), folder);
            Measurement measured = new SideRun(run, cluster).measure();
            if (failure.get() != null) {
                throw new IllegalStateException("a simulator or YARN failed", failure.get());
            }
            measured.write(folder);
            exit = 0;
        } catch (Exception | Error e) {
            LOG.error("measurement failed", e);
        } finally {
            // Without stopping YARN: that takes long with thousands of nodes, and its threads end with the JVM.
            Runtime.getRuntime().halt(exit);
        }
    }

    /** The parent holds the other end of standard input, so that a killed one leaves nothing running. */
    private static void endWithParent() {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {}
                    } catch (IOException e) {
                        // Nobody is at the other end any more.
                    }
                    Runtime.getRuntime().halt(FAILED);
                },
                "parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private Measurement measure() throws InterruptedException {
        submitAll();
        TimeUnit.SECONDS.sleep(workload.warmUpSeconds());
        awaitTraining();
        MeasuredScheduler scheduler =
                (MeasuredScheduler) cluster.resourceManager().getResourceScheduler();
        scheduler.measured().take();
        ThreadTimes before = ThreadTimes.now();
        long startNanos = System.nanoTime();
        TimeUnit.SECONDS.sleep(workload.seconds());
        ThreadTimes after = ThreadTimes.now();
        SchedulerRecord.Period period = scheduler.measured().take();
        double nanos = System.nanoTime() - startNanos;
        return measurement(
                period,
                after.nanosSince(before, ThreadTimes.EVENTS),
                after.nanosSince(before, ThreadTimes.ROUNDS),
                nanos);
    }

    /** On a machine that can hardly follow, jobs may start late; without any of them the figures would say little. */
    private void awaitTraining() throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(LATEST_START_SECONDS);
        while (System.nanoTime() < endNanos && trainings.stream().anyMatch(job -> !job.started())) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    /** Applications start over the first half of the warm-up, as thousands in one moment would be another benchmark. */
    private void submitAll() {
        long spreadMillis = TimeUnit.SECONDS.toMillis(workload.warmUpSeconds()) / 2;
        for (int index = 0; index < workload.jobs(); index++) {
            SimulatedApplication job = workload.training(run.side(), index);
            trainings.add((Training) job);
            cluster.submit(
                    job, ClusterConfiguration.TRAINING_QUEUE, user(index), spreadMillis * index / workload.jobs());
        }
        for (int index = 0; index < workload.applications(); index++) {
            // The first ones live for different times, so that from then on as many end each second.
            long lifeMillis = Workload.APPLICATION_MILLIS * (index + 1) / workload.applications();
            submitOrdinary(lifeMillis, spreadMillis * index / workload.applications());
        }
    }

    private void submitOrdinary(long lifeMillis, long delayMillis) {
        int index = submitted.getAndIncrement();
        OrdinaryApplication application = new OrdinaryApplication(
                workload.tasksPerApplication(),
                lifeMillis,
                index,
                () -> submitOrdinary(Workload.APPLICATION_MILLIS, 0));
        cluster.submit(application, ClusterConfiguration.ORDINARY_QUEUE, user(index), delayMillis);
    }

    private static String user(int index) {
        return "user" + index % USERS;
    }

    private Measurement measurement(SchedulerRecord.Period period, long eventNanos, long roundNanos, double nanos) {
        double seconds = nanos / TimeUnit.SECONDS.toNanos(1);
        return new Measurement(
                new Measurement.CallTimes(period.all().elapsed(), period.all().processor()),
                new Measurement.CallTimes(
                        period.ordinary().elapsed(), period.ordinary().processor()),
                new Measurement.Rates(
                        period.all().calls() / seconds,
                        period.heartbeats() / seconds,
                        period.all().containers() / seconds,
                        period.ordinary().containers() / seconds),
                new Measurement.Threads(
                        100 * eventNanos / nanos,
                        eventNanos / NANOS_PER_MICRO / Math.max(1, period.heartbeats()),
                        100 * roundNanos / nanos),
                heapMb(),
                new Measurement.TrainingState(
                        trainings.stream().mapToInt(Training::tasksHeld).sum(),
                        (int) trainings.stream().filter(Training::started).count(),
                        trainings.stream().mapToInt(Training::plansFollowed).sum(),
                        trainings.stream()
                                .mapToLong(Training::planFollowed)
                                .max()
                                .orElse(0)));
    }

    private static double heapMb() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / BYTES_PER_MB;
    }
}
