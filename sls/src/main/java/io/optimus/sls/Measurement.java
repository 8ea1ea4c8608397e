package io.optimus.sls;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.sls.measure.Percentiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What one run measured.
 *
 * @param allocate time of all calls of {@code allocate}
 * @param ordinaryAllocate time of {@code allocate} calls by ordinary applications
 * @param rates what happened each second
 * @param threads processor time of the scheduler's threads
 * @param heapMb heap in use after garbage collection at the end, simulators included
 * @param training what the training jobs had at the end
 */
record Measurement(
        CallTimes allocate,
        CallTimes ordinaryAllocate,
        Rates rates,
        Threads threads,
        double heapMb,
        TrainingState training) {
    static final String FILE = "measurement.json";

    /**
     * Times of calls.
     *
     * @param elapsed waiting for locks and processors included
     * @param processor on the processor only
     */
    record CallTimes(Percentiles elapsed, Percentiles processor) {}

    /**
     * Events in a second.
     *
     * @param allocateCalls calls of {@code allocate}
     * @param heartbeats heartbeats of nodes handled; fewer than there are nodes if the machine cannot follow
     * @param containers containers granted
     * @param ordinaryContainers those of ordinary applications
     */
    record Rates(double allocateCalls, double heartbeats, double containers, double ordinaryContainers) {}

    /**
     * Processor time of threads.
     *
     * @param eventCorePercent of the thread that handles the scheduler's events, in percent of one core
     * @param eventMicrosPerHeartbeat the same time, divided by the heartbeats of nodes
     * @param roundCorePercent of the threads of rounds, in percent of one core
     */
    record Threads(double eventCorePercent, double eventMicrosPerHeartbeat, double roundCorePercent) {}

    /**
     * The training jobs together.
     *
     * @param tasks number of tasks that the jobs held
     * @param jobs number of jobs that ever held a task
     * @param plansFollowed number of plans that the jobs followed
     * @param latestPlan the highest number of a plan that a job followed
     */
    record TrainingState(int tasks, int jobs, int plansFollowed, long latestPlan) {}

    void write(Path folder) throws IOException {
        new ObjectMapper().writeValue(folder.resolve(FILE).toFile(), this);
    }

    static Measurement read(Path folder) throws IOException {
        return new ObjectMapper().readValue(folder.resolve(FILE).toFile(), Measurement.class);
    }
}
