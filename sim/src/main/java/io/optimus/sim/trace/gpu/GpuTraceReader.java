package io.optimus.sim.trace.gpu;

import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.trace.Csv;
import io.optimus.sim.trace.GpuJob;
import io.optimus.sim.trace.ProblemsException;
import io.optimus.sim.trace.Times;
import io.optimus.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads traces of GPU clusters: a line for each job, with when it came, how long it ran and on how many GPUs. Names of
 * columns differ: each has a list of those that are known. Jobs without a GPU, and those that ran for no second, are left
 * out.
 */
public final class GpuTraceReader implements TraceReader {
    private static final double LONGEST_SECONDS = 1e9;
    private static final int MOST_GPUS = 100_000;

    /** Alibaba's {@code plan_gpu} counts hundredths, for each of its instances. */
    private static final double HUNDREDTHS = 100;

    private final String kind;
    private final String header;
    private final Columns columns;

    /**
     * Which of the columns hold what; the first one that a file has is taken.
     *
     * @param arrival when a job was submitted
     * @param duration seconds that it ran
     * @param gpus how many GPUs it had in all
     * @param name what it is called in reports
     */
    private record Columns(List<String> arrival, List<String> duration, List<String> gpus, List<String> name) {
        boolean areIn(List<String> header) {
            return first(arrival, header).isPresent()
                    && first(duration, header).isPresent()
                    && first(gpus, header).isPresent();
        }

        static Optional<String> first(List<String> wanted, List<String> header) {
            return wanted.stream().filter(header::contains).findFirst();
        }

        static String text(Csv.Row row, List<String> wanted) {
            return wanted.stream()
                    .map(row::text)
                    .filter(text -> !text.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }

    private GpuTraceReader(String kind, String header, Columns columns) {
        this.kind = kind;
        this.header = header;
        this.columns = columns;
    }

    /** Microsoft's Philly clusters. */
    public static GpuTraceReader philly() {
        return new GpuTraceReader(
                "Philly",
                "timestamp,duration,num_gpus,gpu_time,cluster",
                new Columns(List.of("timestamp"), List.of("duration"), List.of("num_gpus"), List.of("cluster")));
    }

    /** SenseTime's Helios clusters, Alibaba's PAI, and what is written alike. */
    public static GpuTraceReader heliosAndAlibaba() {
        return new GpuTraceReader(
                "Helios or Alibaba",
                "job_id,submit_time,duration and gpu_num, num_gpus or plan_gpu among others",
                new Columns(
                        List.of("submit_time", "submission_time"),
                        List.of("duration"),
                        List.of("gpu_num", "num_gpus", "num_gpu", "plan_gpu"),
                        List.of("vc", "queue", "task_name", "group", "user")));
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public String headerInWords() {
        return header;
    }

    @Override
    public boolean recognises(String firstLine) {
        return columns.areIn(Csv.columns(firstLine));
    }

    @Override
    public Workload read(Path file, Surroundings surroundings) throws IOException, ProblemsException {
        Csv csv = Csv.read(file);
        List<Arrived> arrived = new ArrayList<>();
        for (Csv.Row row : csv.rows()) {
            read(row).ifPresent(arrived::add);
        }
        csv.refuseProblems();
        double first = arrived.stream().mapToDouble(Arrived::at).min().orElse(0);
        String name = file.getFileName().toString().replaceFirst("\\.csv$", "");
        List<SimulatedJob> jobs = arrived.stream()
                .map(job -> new GpuJob(
                                "job-" + job.line(),
                                job.name().isEmpty() ? "job" : job.name(),
                                job.at() - first,
                                job.seconds(),
                                job.gpus(),
                                surroundings.gpusPerNode())
                        .simulated())
                .toList();
        return new Workload(name, jobs);
    }

    private record Arrived(int line, String name, double at, double seconds, int gpus) {}

    private Optional<Arrived> read(Csv.Row row) {
        String at = Columns.text(row, columns.arrival());
        if (Times.seconds(at).isEmpty()) {
            row.problem(columns.arrival().get(0), "seconds, or a time such as 2017-10-09 07:01:55");
        }
        double seconds = number(row, columns.duration(), LONGEST_SECONDS);
        double gpus = Math.ceil(number(row, columns.gpus(), MOST_GPUS) * instances(row));
        boolean runs = seconds > 0 && gpus > 0 && Times.seconds(at).isPresent();
        return runs
                ? Optional.of(new Arrived(
                        row.line(),
                        Columns.text(row, columns.name()),
                        Times.seconds(at).getAsDouble(),
                        seconds,
                        (int) gpus))
                : Optional.empty();
    }

    /** GPUs for each that is counted in the column of GPUs. */
    private static double instances(Csv.Row row) {
        if (row.text("plan_gpu").isEmpty()) {
            return 1;
        }
        String column = row.text("inst_num").isEmpty() ? "num_inst" : "inst_num";
        double instances = row.text(column).isEmpty() ? 1 : row.number(column, 0, MOST_GPUS);
        return instances / HUNDREDTHS;
    }

    private static double number(Csv.Row row, List<String> wanted, double most) {
        for (String column : wanted) {
            if (!row.text(column).isEmpty()) {
                return row.number(column, 0, most);
            }
        }
        row.problem(wanted.get(0), "a number");
        return 0;
    }
}
