package io.optimus.sim.report;

import io.optimus.sim.engine.JobOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * GPUs that jobs held, and the number of jobs that waited, over equal intervals of time. The jobs that held most are
 * listed one by one, the others in sum.
 *
 * @param intervalSeconds length of an interval
 * @param gpus GPUs of the cluster
 * @param byJob mean GPUs of each interval, largest consumers first, the others last
 * @param waiting mean number of jobs in each interval that had arrived and had no task
 */
public record Usage(double intervalSeconds, long gpus, List<JobUsage> byJob, List<Double> waiting) {
    /** More jobs cannot be told apart in a chart. */
    private static final int JOBS = 40;

    private static final int INTERVALS = 240;

    public Usage {
        byJob = List.copyOf(byJob);
        waiting = List.copyOf(waiting);
    }

    /** Returns the label of the last entry of {@link #byJob}, if that is a sum of jobs. */
    Optional<String> others() {
        return byJob.size() > JOBS ? Optional.of(byJob.get(JOBS).job()) : Optional.empty();
    }

    /**
     * The usage of one job.
     *
     * @param job id of the job, or a label for the sum of the others
     * @param gpus mean GPUs in each interval
     */
    public record JobUsage(String job, List<Double> gpus) {
        public JobUsage {
            gpus = List.copyOf(gpus);
        }
    }

    /**
     * A time during which a job held the same number of GPUs.
     *
     * @param job id of the job
     * @param from begin in seconds
     * @param until end in seconds
     * @param gpus number of GPUs
     */
    record Held(String job, double from, double until, double gpus) {
        double gpuSeconds() {
            return gpus * (until - from);
        }
    }

    /**
     * Returns the usage in a run.
     *
     * @param held what each job held while it had tasks
     * @param jobs all jobs
     * @param gpus GPUs of the cluster
     */
    static Usage of(List<Held> held, List<JobOutcome> jobs, long gpus) {
        double end = held.stream().mapToDouble(Held::until).max().orElse(0);
        double interval = end > 0 ? end / INTERVALS : 1;
        Map<String, Double> totals = new HashMap<>();
        held.forEach(each -> totals.merge(each.job(), each.gpuSeconds(), Double::sum));
        List<String> largest = totals.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(JOBS)
                .map(Map.Entry::getKey)
                .toList();
        Map<String, Integer> row = new HashMap<>();
        largest.forEach(job -> row.put(job, row.size()));
        double[][] rows = new double[largest.size() + 1][INTERVALS];
        for (Held each : held) {
            spread(each, each.gpus(), interval, rows[row.getOrDefault(each.job(), largest.size())]);
        }
        List<JobUsage> byJob = new ArrayList<>();
        for (int i = 0; i < largest.size(); i++) {
            byJob.add(new JobUsage(largest.get(i), boxed(rows[i])));
        }
        if (totals.size() > largest.size()) {
            int others = totals.size() - largest.size();
            byJob.add(new JobUsage(others == 1 ? "1 other" : others + " others", boxed(rows[largest.size()])));
        }
        return new Usage(interval, gpus, byJob, waiting(held, jobs, interval));
    }

    /** Returns the mean number of waiting jobs in each interval: arrived, not ended and without tasks. */
    private static List<Double> waiting(List<Held> held, List<JobOutcome> jobs, double interval) {
        double[] row = new double[INTERVALS];
        for (JobOutcome job : jobs) {
            JobOutcome.Times times = job.times();
            spread(new Held(job.id(), times.arrivalSeconds(), times.endSeconds(), 0), 1, interval, row);
        }
        held.forEach(each -> spread(each, -1, interval, row));
        return boxed(Arrays.stream(row).map(waiting -> Math.max(0, waiting)).toArray());
    }

    /** Adds the mean of {@code amount} over each interval to that interval's entry in {@code row}. */
    private static void spread(Held held, double amount, double interval, double[] row) {
        int last = Math.min(INTERVALS - 1, (int) (held.until() / interval));
        for (int i = (int) (held.from() / interval); i <= last; i++) {
            double overlap = Math.min(held.until(), (i + 1) * interval) - Math.max(held.from(), i * interval);
            row[i] += amount * Math.max(0, overlap) / interval;
        }
    }

    private static List<Double> boxed(double[] row) {
        List<Double> boxed = new ArrayList<>(row.length);
        for (double each : row) {
            boxed.add(each);
        }
        return boxed;
    }
}
