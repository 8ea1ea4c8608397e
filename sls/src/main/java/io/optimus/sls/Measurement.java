package io.optimus.sls;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What one run measured.
 *
 * @param allocateMicrosP50 time of a call of {@code allocate}, waiting for locks and processors included: the median
 * @param allocateMicrosP99 its 99th percentile
 * @param allocateMicrosP999 its 99.9th percentile
 * @param allocateProcessorMicrosP50 processor time in a call of {@code allocate}: the median
 * @param allocateProcessorMicrosP99 its 99th percentile
 * @param allocateProcessorMicrosP999 its 99.9th percentile
 * @param allocatesPerSecond calls of {@code allocate}
 * @param eventThreadCorePercent processor time of the thread that handles the scheduler's events, in percent of one core
 * @param eventThreadMicrosPerHeartbeat the same time, divided by the heartbeats of nodes
 * @param heartbeatsPerSecond heartbeats of nodes handled; fewer than there are nodes if the machine cannot follow
 * @param roundThreadCorePercent processor time of the threads of rounds, in percent of one core
 * @param containersPerSecond containers granted
 * @param heapMb heap in use after garbage collection at the end, simulators included
 * @param trainingTasks tasks that training jobs held at the end
 * @param trainingJobs training jobs that held a task at the end
 * @param plansFollowed plans that the training jobs followed, in all
 * @param latestPlan the highest number of a plan that a job followed
 */
record Measurement(
        double allocateMicrosP50,
        double allocateMicrosP99,
        double allocateMicrosP999,
        double allocateProcessorMicrosP50,
        double allocateProcessorMicrosP99,
        double allocateProcessorMicrosP999,
        double allocatesPerSecond,
        double eventThreadCorePercent,
        double eventThreadMicrosPerHeartbeat,
        double heartbeatsPerSecond,
        double roundThreadCorePercent,
        double containersPerSecond,
        double heapMb,
        int trainingTasks,
        int trainingJobs,
        int plansFollowed,
        long latestPlan) {
    static final String FILE = "measurement.json";

    void write(Path folder) throws IOException {
        new ObjectMapper().writeValue(folder.resolve(FILE).toFile(), this);
    }

    static Measurement read(Path folder) throws IOException {
        return new ObjectMapper().readValue(folder.resolve(FILE).toFile(), Measurement.class);
    }
}
