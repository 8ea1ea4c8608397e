package io.optimus.yarn.metrics;

import io.optimus.yarn.metrics.JobFigures.InQueue;
import io.optimus.yarn.metrics.JobFigures.Waits;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * The records that have tags: one for each step, reason, queue, and state of GPUs. Prometheus makes labels of the tags; JMX
 * numbers the records.
 */
final class TaggedRecords {
    private static final MetricsInfo STEP = Interns.info("OptimusStep", "the steps of rounds");
    private static final MetricsInfo WAITING = Interns.info("OptimusWaiting", "jobs that train on no task");
    private static final MetricsInfo QUEUE = Interns.info("OptimusQueue", "training in the leaf queues");
    private static final MetricsInfo CLUSTER = Interns.info("OptimusCluster", "the whole cluster");

    private static final MetricsInfo STEP_TAG = Interns.info("Step", "step of a round");
    private static final MetricsInfo REASON_TAG = Interns.info("Reason", "why jobs wait");
    private static final MetricsInfo QUEUE_TAG = Interns.info("Queue", "path of the leaf queue");
    private static final MetricsInfo STATE_TAG = Interns.info("State", "who holds GPUs");

    private static final MetricsInfo RUNS = Interns.info("Runs", "rounds that had this step");
    private static final MetricsInfo MILLIS = Interns.info("Millis", "time that this step took in all rounds");
    private static final MetricsInfo JOBS = Interns.info("Jobs", "jobs");
    private static final MetricsInfo LONGEST = Interns.info("LongestMillis", "how long the longest of them waits");
    private static final MetricsInfo WAITING_JOBS = Interns.info("WaitingJobs", "jobs that train on no task");
    private static final MetricsInfo GUARANTEED = Interns.info("GuaranteedGpus", "GPUs that the queue guarantees");
    private static final MetricsInfo GPUS = Interns.info("Gpus", "GPUs by who holds them");

    private static final InQueue NO_JOBS = new InQueue(0, 0);

    private final MetricsCollector collector;

    TaggedRecords(MetricsCollector collector) {
        this.collector = collector;
    }

    void addSteps(long rounds, StepDurations times) {
        for (RoundStep step : RoundStep.values()) {
            add(STEP).tag(STEP_TAG, step.word()).addCounter(RUNS, rounds).addCounter(MILLIS, times.millis(step));
        }
    }

    void addWaits(Map<String, Waits> waits) {
        waits.forEach((reason, waiting) -> add(WAITING)
                .tag(REASON_TAG, reason)
                .addGauge(JOBS, waiting.jobs())
                .addGauge(LONGEST, waiting.longestMillis()));
    }

    void addQueues(Map<String, InQueue> jobs, List<GpuUse> uses) {
        for (GpuUse use : uses) {
            if (use.leaf()) {
                InQueue inQueue = jobs.getOrDefault(use.queue(), NO_JOBS);
                add(QUEUE)
                        .tag(QUEUE_TAG, use.queue())
                        .addGauge(JOBS, inQueue.jobs())
                        .addGauge(WAITING_JOBS, inQueue.waiting())
                        .addGauge(GUARANTEED, use.guaranteed());
            }
            addGpus(use, "training", use.training());
            addGpus(use, "others", use.others());
            addGpus(use, "idle", use.idle());
        }
    }

    private void addGpus(GpuUse use, String state, long gpus) {
        if (use.leaf()) {
            add(QUEUE).tag(QUEUE_TAG, use.queue()).tag(STATE_TAG, state).addGauge(GPUS, gpus);
        } else if (isCluster(use)) {
            add(CLUSTER).tag(STATE_TAG, state).addGauge(GPUS, gpus);
        }
    }

    /** The GPUs of the cluster that nobody holds. */
    static long idle(List<GpuUse> uses) {
        return uses.stream()
                .filter(TaggedRecords::isCluster)
                .mapToLong(GpuUse::idle)
                .sum();
    }

    private static boolean isCluster(GpuUse use) {
        return use.queue().indexOf('.') < 0;
    }

    private MetricsRecordBuilder add(MetricsInfo record) {
        return collector.addRecord(record).setContext("yarn");
    }
}
