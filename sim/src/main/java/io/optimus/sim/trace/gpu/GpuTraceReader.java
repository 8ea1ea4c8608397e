package io.optimus.sim.trace.gpu;

import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.CsvHeader;
import io.optimus.sim.input.CsvTable;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.input.TraceTimes;
import io.optimus.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads traces of GPU clusters: a line for each job, with its arrival, duration and GPUs. Names of columns differ
 * between traces, so each column has a list of known names. Jobs that had no GPU or ran for 0 s are left out.
 */
public final class GpuTraceReader implements TraceReader {
    private static final double LONGEST_SECONDS = 1e9;
    private static final int MOST_GPUS = 100_000;

    /** Alibaba's {@code plan_gpu} counts hundredths of a GPU. */
    private static final String HUNDREDTHS_COLUMN = "plan_gpu";

    private static final double HUNDREDTHS = 100;
    /** Binary fractions of hundredths may be a little more than the whole number that they stand for. */
    private static final double ROUNDING = 1e-9;

    private final String kind;
    private final String headerInWords;
    private final Columns columns;

    /**
     * The known names of each column; the first one in a file counts.
     *
     * @param arrival time of submission
     * @param duration time that the job ran, in seconds
     * @param gpus number of GPUs
     * @param name name of the job in reports
     */
    private record Columns(List<String> arrival, List<String> duration, List<String> gpus, List<String> name) {
        CsvHeader header() {
            return new CsvHeader(List.of(arrival, duration, gpus));
        }

        /** Returns the first of {@code wanted} that is not empty in this row, else the first in the table. */
        static String column(CsvTable.Row row, List<String> wanted) {
            return wanted.stream()
                    .filter(column -> !row.text(column).isEmpty())
                    .findFirst()
                    .or(() -> wanted.stream().filter(row::has).findFirst())
                    .orElse(wanted.get(0));
        }
    }

    private GpuTraceReader(String kind, String headerInWords, Columns columns) {
        this.kind = kind;
        this.headerInWords = headerInWords;
        this.columns = columns;
    }

    /** Reads traces of Microsoft's Philly clusters. */
    public static GpuTraceReader philly() {
        return new GpuTraceReader(
                "Philly",
                "timestamp,duration,num_gpus,gpu_time,cluster",
                new Columns(List.of("timestamp"), List.of("duration"), List.of("num_gpus"), List.of("cluster")));
    }

    /** Reads traces of SenseTime's Helios clusters, of Alibaba's PAI, and traces with the same columns. */
    public static GpuTraceReader heliosAndAlibaba() {
        return new GpuTraceReader(
                "Helios or Alibaba",
                "job_id,submit_time,duration and gpu_num, num_gpus, num_gpu or plan_gpu among others",
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
        return headerInWords;
    }

    @Override
    public CsvHeader header() {
        return columns.header();
    }

    @Override
    public Workload read(Path file, Surroundings surroundings) throws IOException, InvalidInputException {
        CsvTable csv = CsvTable.read(file);
        List<Arrived> arrived = new ArrayList<>();
        for (CsvTable.Row row : csv.rows()) {
            read(row).ifPresent(arrived::add);
        }
        csv.refuseProblems();
        if (arrived.isEmpty()) {
            throw new InvalidInputException(List.of(file + " has no job that ran on a GPU for more than 0 s"));
        }
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

    private Optional<Arrived> read(CsvTable.Row row) {
        String arrival = Columns.column(row, columns.arrival());
        OptionalDouble at = TraceTimes.seconds(row.text(arrival));
        if (at.isEmpty()) {
            row.problem(arrival, "seconds, or a time such as 2017-10-09 07:01:55");
        }
        double seconds = row.number(Columns.column(row, columns.duration()), 0, LONGEST_SECONDS);
        String gpuColumn = Columns.column(row, columns.gpus());
        double each = row.text(gpuColumn).isEmpty() ? 0 : row.number(gpuColumn, 0, MOST_GPUS);
        double gpus = Math.ceil(each * instances(row, gpuColumn) / unitsPerGpu(gpuColumn) - ROUNDING);
        if (gpus > MOST_GPUS) {
            row.problem(gpuColumn, "at most " + MOST_GPUS + " GPUs of all instances together");
        }
        String name = row.text(Columns.column(row, columns.name()));
        return seconds > 0 && gpus > 0 && at.isPresent()
                ? Optional.of(new Arrived(row.line(), name, at.getAsDouble(), seconds, (int) gpus))
                : Optional.empty();
    }

    /** In Alibaba's traces, these columns are for each of the job's instances. */
    private static double instances(CsvTable.Row row, String gpuColumn) {
        if (!gpuColumn.equals(HUNDREDTHS_COLUMN) && !gpuColumn.equals("num_gpu")) {
            return 1;
        }
        String column = row.text("inst_num").isEmpty() ? "num_inst" : "inst_num";
        return row.text(column).isEmpty() ? 1 : row.number(column, 0, MOST_GPUS);
    }

    private static double unitsPerGpu(String gpuColumn) {
        return gpuColumn.equals(HUNDREDTHS_COLUMN) ? HUNDREDTHS : 1;
    }
}
