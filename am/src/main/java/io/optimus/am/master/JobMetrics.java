package io.optimus.am.master;

import io.optimus.am.coordinator.CoordinatorStatus.Progress;
import io.optimus.am.master.page.StatusView;
import io.optimus.am.master.page.Survived;
import io.optimus.am.master.page.TrackingPage.MetricsText;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;

/**
 * The job's figures as a source of Hadoop's metrics: for JMX, for the sinks that {@code hadoop-metrics2.properties} on the node
 * names, and in Prometheus's format where {@value CommonConfigurationKeys#HADOOP_PROMETHEUS_ENABLED} is set.
 */
final class JobMetrics implements MetricsSource, AutoCloseable {
    static final String NAME = "OptimusJob";
    private static final String SYSTEM = "ApplicationMaster";

    private static final MetricsInfo RECORD = Interns.info(NAME, "a training job");
    private static final MetricsInfo APPLICATION = Interns.info("Application", "YARN's id of the application");
    private static final MetricsInfo JOB = Interns.info("Job", "name of the job");

    private static final MetricsInfo STEP = Interns.info("Step", "steps done");
    private static final MetricsInfo EPOCH = Interns.info("Epoch", "passes over the training samples");
    private static final MetricsInfo LOSS = Interns.info("Loss", "the last loss");
    private static final MetricsInfo SPEED = Interns.info("StepsPerSecond", "steps a second");
    private static final MetricsInfo WORKERS = Interns.info("Workers", "workers that step");
    private static final MetricsInfo SERVERS = Interns.info("ParameterServers", "parameter servers that step");
    private static final MetricsInfo LOST = Interns.info("LostTasks", "tasks that ended and should not have");
    private static final MetricsInfo SURVIVED = Interns.info("SurvivedEvents", "what the job has survived");
    private static final MetricsInfo REDONE = Interns.info("RedoneSteps", "steps done again");
    private static final MetricsInfo STALLED = Interns.info("StalledMillis", "time without steps after lost tasks");
    private static final MetricsInfo LONGEST = Interns.info("LongestStallMillis", "the longest of these times");
    private static final MetricsInfo REFUSED = Interns.info("RefusedCallers", "callers that do not belong to the job");

    private final Supplier<StatusView> status;
    private final Optional<PrometheusMetricsSink> prometheus;

    private JobMetrics(Supplier<StatusView> status, Optional<PrometheusMetricsSink> prometheus) {
        this.status = status;
        this.prometheus = prometheus;
    }

    /**
     * Begins to export.
     *
     * @param status the job as it is now; called by threads of the metrics system
     */
    static JobMetrics start(Configuration configuration, Supplier<StatusView> status) {
        boolean enabled = configuration.getBoolean(
                CommonConfigurationKeys.HADOOP_PROMETHEUS_ENABLED,
                CommonConfigurationKeys.HADOOP_PROMETHEUS_ENABLED_DEFAULT);
        MetricsSystem system = DefaultMetricsSystem.initialize(SYSTEM);
        JobMetrics metrics =
                new JobMetrics(status, enabled ? Optional.of(new PrometheusMetricsSink()) : Optional.empty());
        system.register(NAME, "a training job", metrics);
        metrics.prometheus.ifPresent(sink -> system.register("Prometheus", "what /prom of the job's page has", sink));
        return metrics;
    }

    /** All metrics of this process in Prometheus's format; empty if that is not enabled. */
    Optional<MetricsText> text() {
        return prometheus.map(sink -> out -> {
            DefaultMetricsSystem.instance().publishMetricsNow();
            sink.writeMetrics(out);
        });
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        StatusView view = status.get();
        Progress progress = view.training().progress();
        Survived survived = view.history().survived();
        MetricsRecordBuilder record = collector
                .addRecord(RECORD)
                .setContext("yarn")
                .tag(APPLICATION, view.job().applicationId())
                .tag(JOB, view.job().spec().name())
                .addGauge(STEP, progress.step())
                .addGauge(EPOCH, progress.epoch())
                .addGauge(WORKERS, view.training().allocation().workers())
                .addGauge(SERVERS, view.training().allocation().parameterServers())
                .addCounter(LOST, view.history().lostTasks())
                .addCounter(SURVIVED, survived.events())
                .addCounter(REDONE, survived.stepsRedone())
                .addCounter(STALLED, survived.stalledMillis())
                .addGauge(LONGEST, survived.longestStallMillis())
                .addCounter(REFUSED, survived.refusedCallers());
        progress.recentLoss().ifPresent(loss -> record.addGauge(LOSS, loss));
        progress.stepsPerSecond().ifPresent(speed -> record.addGauge(SPEED, speed));
    }

    /** Ends the export. */
    @Override
    public void close() {
        DefaultMetricsSystem.shutdown();
    }
}
