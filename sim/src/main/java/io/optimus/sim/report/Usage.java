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
 * GPUs that jobs held, and how many jobs held nothing, in equal stretches of time; the jobs that held most are told apart, the others
 * are one.
 *
 * @param stretchSeconds length of a stretch
 * @param gpus of the cluster
 * @param byJob mean GPUs of each stretch, largest consumers first, the others last
 * @param waiting mean number of jobs of each stretch that were there and had no task
 */
public record Usage(double stretchSeconds, long gpus, List<JobUsage> byJob, List<Double> waiting) {
    /** As many as can be told apart in a picture. */
    private static final int JOBS = 40;

    private static final int STRETCHES = 240;

    /** Copies. */
    public Usage {
        byJob = List.copyOf(byJob);
        waiting = List.copyOf(waiting);
    }

    /** What the last of {@link #byJob} stands for, where that is not one job. */
    Optional<String> others() {
        return byJob.size() > JOBS ? Optional.of(byJob.get(JOBS).job()) : Optional.empty();
    }

    /**
     * One job's.
     *
     * @param job its id, or what stands for the others
     * @param gpus mean of each stretch
     */
    public record JobUsage(String job, List<Double> gpus) {
        /** Copies. */
        public JobUsage {
            gpus = List.copyOf(gpus);
        }
    }

    /**
     * Some GPUs for a while.
     *
     * @param job its id
     * @param from seconds
     * @param until seconds
     * @param gpus held
     */
    record Held(String job, double from, double until, double gpus) {
        double gpuSeconds() {
            return gpus * (until - from);
        }
    }

    /**
     * In a run.
     *
     * @param held what each job held, while it had tasks
     * @param jobs all of them
     * @param gpus of the cluster
     */
    static Usage of(List<Held> held, List<JobOutcome> jobs, long gpus) {
        double end = held.stream().mapToDouble(Held::until).max().orElse(0);
        double stretch = Math.max(1, end / STRETCHES);
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
        double[][] rows = new double[largest.size() + 1][STRETCHES];
        for (Held each : held) {
            spread(each, each.gpus(), stretch, rows[row.getOrDefault(each.job(), largest.size())]);
        }
        List<JobUsage> byJob = new ArrayList<>();
        for (int i = 0; i < largest.size(); i++) {
            byJob.add(new JobUsage(largest.get(i), boxed(rows[i])));
        }
        if (totals.size() > largest.size()) {
            int others = totals.size() - largest.size();
            byJob.add(new JobUsage(others == 1 ? "1 other" : others + " others", boxed(rows[largest.size()])));
        }
        return new Usage(stretch, gpus, byJob, waiting(held, jobs, stretch));
    }

    /** Jobs between their arrival and their end, less those that held something. */
    private static List<Double> waiting(List<Held> held, List<JobOutcome> jobs, double stretch) {
        double[] row = new double[STRETCHES];
        jobs.forEach(job -> spread(new Held(job.id(), job.arrivalSeconds(), job.endSeconds(), 0), 1, stretch, row));
        held.forEach(each -> spread(each, -1, stretch, row));
        return boxed(Arrays.stream(row).map(waiting -> Math.max(0, waiting)).toArray());
    }

    /** Adds the mean of {@code amount} over each stretch, of the time that it was there. */
    private static void spread(Held held, double amount, double stretch, double[] row) {
        int last = Math.min(STRETCHES - 1, (int) (held.until() / stretch));
        for (int i = (int) (held.from() / stretch); i <= last; i++) {
            double overlap = Math.min(held.until(), (i + 1) * stretch) - Math.max(held.from(), i * stretch);
            row[i] += amount * Math.max(0, overlap) / stretch;
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
