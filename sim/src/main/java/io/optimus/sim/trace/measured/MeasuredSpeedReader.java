package io.optimus.sim.trace.measured;

import io.optimus.model.Allocation;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.CsvHeader;
import io.optimus.sim.input.CsvTable;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.TraceReader;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import io.optimus.sim.trace.builtin.ConvergingJob;
import io.optimus.sim.truth.MeasuredSurface;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads measured speeds of parameter-server training by (num_ps, num_worker). It draws as many jobs of these models as
 * the built-in workload has, with the same arrivals and losses. Their true speed is the measured surface, which does
 * not depend on the number of nodes. Rows with {@code valid} 0 or false are left out. If a size was measured
 * repeatedly, the mean counts. All seeds have the same jobs; only the noise of their reports differs.
 */
public final class MeasuredSpeedReader implements TraceReader {
    private static final List<String> COLUMNS =
            List.of("model", "global_batch", "num_ps", "num_worker", "steps_per_s", "valid");
    private static final int MOST_TASKS = 1_000;
    private static final Set<String> VALID = Set.of("1", "true");
    private static final Set<String> INVALID = Set.of("0", "false");

    private static final long SEED = 1;

    @Override
    public String kind() {
        return "measured speeds";
    }

    @Override
    public CsvHeader header() {
        return CsvHeader.of(COLUMNS);
    }

    private record Measured(double globalBatch, SortedMap<Allocation, Mean> speeds) {
        MeasuredSizes sizes() {
            SortedMap<Allocation, Double> means = new TreeMap<>();
            speeds.forEach((size, mean) -> means.put(size, mean.sum() / mean.count()));
            return MeasuredSizes.of(means);
        }
    }

    /** The mean of repeated measurements of a size. */
    private record Mean(double sum, int count) {
        static Mean of(double one) {
            return new Mean(one, 1);
        }

        Mean and(Mean other) {
            return new Mean(sum + other.sum, count + other.count);
        }
    }

    private record Surface(String model, SpeedForm form, SpeedFunction speed, Allocation most) {}

    @Override
    public Workload read(Path file, Surroundings surroundings) throws IOException, InvalidInputException {
        CsvTable csv = CsvTable.read(file);
        SortedMap<String, Measured> models = new TreeMap<>();
        csv.rows().stream().filter(MeasuredSpeedReader::isValid).forEach(row -> take(row, models));
        csv.refuseProblems();
        return draw(file.getFileName().toString().replaceFirst("\\.csv$", ""), surfaces(file, models));
    }

    private static boolean isValid(CsvTable.Row row) {
        boolean valid = VALID.contains(row.text("valid").toLowerCase(Locale.ROOT));
        if (!valid && !INVALID.contains(row.text("valid").toLowerCase(Locale.ROOT))) {
            row.problem("valid", "1, true, 0 or false");
        }
        return valid;
    }

    private static void take(CsvTable.Row row, SortedMap<String, Measured> models) {
        double batch = row.number("global_batch", 1, 1e9);
        Allocation size = new Allocation(row.count("num_ps", 1, MOST_TASKS), row.count("num_worker", 1, MOST_TASKS));
        double speed = row.number("steps_per_s", 0, 1e9);
        Measured model = models.computeIfAbsent(row.text("model"), name -> new Measured(batch, new TreeMap<>()));
        if (model.globalBatch() != batch) {
            row.problem(
                    "global_batch", "the " + Math.round(model.globalBatch()) + " that another row has for the model");
        } else if (speed > 0) {
            model.speeds().merge(size, Mean.of(speed), Mean::and);
        }
    }

    private static List<Surface> surfaces(Path file, SortedMap<String, Measured> models) throws InvalidInputException {
        List<Surface> surfaces = new ArrayList<>();
        for (Map.Entry<String, Measured> model : models.entrySet()) {
            MeasuredSizes sizes = model.getValue().sizes();
            if (sizes.isEmpty()) {
                continue;
            }
            SpeedForm form = new SpeedForm.Synchronous(model.getValue().globalBatch());
            Allocation most = sizes.allocations().stream().reduce(Allocation.NONE, Allocation::max);
            Optional<SpeedFunction> speed =
                    MeasuredSurface.through(form, new SizeRange(new Allocation(1, 1), most), sizes);
            speed.ifPresent(known -> surfaces.add(new Surface(model.getKey(), form, known, most)));
        }
        if (surfaces.isEmpty()) {
            throw new InvalidInputException(List.of(file + " has no valid measurement"));
        }
        return surfaces;
    }

    private static Workload draw(String name, List<Surface> surfaces) {
        Random random = Seeds.random(SEED, "measured workload");
        double[] arrivals = ArrivalPattern.UNIFORM.draw(BuiltinWorkload.JOBS, BuiltinWorkload.DURATION_SECONDS, random);
        List<SimulatedJob> jobs = new ArrayList<>();
        for (int i = 0; i < arrivals.length; i++) {
            Surface surface = surfaces.get(i % surfaces.size());
            jobs.add(new ConvergingJob(surface.model(), surface.form(), surface.speed(), surface.most())
                    .draw(surface.model() + "-" + i, arrivals[i], random));
        }
        return new Workload(name, jobs);
    }
}
