package io.optimus.sim.trace.pollux;

import io.optimus.model.throughput.BatchLimits;
import io.optimus.model.throughput.GradientNoise;
import io.optimus.sim.input.CsvTable;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.interpolation.GridPoint;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the profile of a model: {@code placements.csv}, {@code scalability.csv} and one {@code validation-B.csv} for each
 * batch B that was trained with.
 *
 * <p>A placement is written as the number of replicas of each node, one digit a node: {@code 44} is 2 nodes with 4
 * replicas each. The smallest and the largest B are the initial and the largest batch of the model's jobs.
 */
final class ProfileReader {
    private static final Pattern VALIDATION = Pattern.compile("validation-(\\d{1,6})\\.csv");
    private static final Pattern DIGITS = Pattern.compile("[1-9]{1,18}");
    private static final int MOST_NODES = 100_000;
    private static final double MOST = 1e300;

    private final Path folder;
    private final List<String> problems = new ArrayList<>();
    private final Map<List<Integer>, NavigableMap<Integer, StepTime>> byPlacement = new HashMap<>();
    private final StepTimes.Means means = new StepTimes.Means();
    private int leastBatch = Integer.MAX_VALUE;
    private int mostBatch;

    /** Reads {@code folder}, which has the name of the model. */
    ProfileReader(Path folder) {
        this.folder = folder;
    }

    /**
     * Reads the profile.
     *
     * @throws InvalidInputException if its files have errors; names all of them
     */
    Profile read() throws InvalidInputException {
        readRows(folder.resolve("placements.csv"), this::readPlacement);
        readRows(folder.resolve("scalability.csv"), this::readScalability);
        NavigableMap<Integer, List<Epochs.Row>> validations = readValidations();
        if (problems.isEmpty() && !means.isEnough()) {
            problems.add(folder
                    + " has too few measurements to interpolate between. Remedy: vary nodes, replicas and batches");
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        return profile(validations);
    }

    private void readRows(Path file, Consumer<CsvTable.Row> reader) {
        try {
            CsvTable csv = CsvTable.read(file);
            csv.rows().forEach(reader);
            csv.refuseProblems();
        } catch (InvalidInputException wrong) {
            problems.addAll(wrong.problems());
        } catch (NoSuchFileException missing) {
            problems.add(
                    file + " is missing. Remedy: every model has placements.csv, scalability.csv and validation-B.csv "
                            + "of each batch B");
        } catch (IOException unreadable) {
            problems.add(file + " cannot be read: " + unreadable);
        }
    }

    private Profile profile(NavigableMap<Integer, List<Epochs.Row>> validations) {
        String model = folder.getFileName().toString();
        ModelLimits limits = ModelLimits.of(model);
        BatchLimits batches = new BatchLimits(
                validations.firstKey(),
                validations.lastKey(),
                leastBatch,
                limits.largestAtomicBatch().orElse(mostBatch));
        return new Profile(
                model,
                batches,
                limits.mostReplicas().orElse(means.mostReplicas()),
                limits.batch(),
                new StepTimes(byPlacement, means.interpolation(), means.mostNodes()),
                new Epochs(validations));
    }

    private void readPlacement(CsvTable.Row row) {
        if (!DIGITS.matcher(row.text("placement")).matches()) {
            row.problem("placement", "a digit from 1 to 9 for each node, its replicas");
            return;
        }
        List<Integer> ring =
                row.text("placement").chars().mapToObj(digit -> digit - '0').toList();
        int batch = batch(row);
        StepTime time = time(row);
        byPlacement
                .computeIfAbsent(StepTimes.rotation(ring), placement -> new TreeMap<>())
                .put(batch, time);
        means.add(ring.size(), ring.stream().mapToInt(Integer::intValue).sum(), batch, time);
        leastBatch = Math.min(leastBatch, batch);
        mostBatch = Math.max(mostBatch, batch);
    }

    private void readScalability(CsvTable.Row row) {
        int nodes = row.count("num_nodes", 1, MOST_NODES);
        means.add(nodes, row.count("num_replicas", nodes, MOST_NODES), batch(row), time(row));
    }

    private static int batch(CsvTable.Row row) {
        return row.count("local_bsz", 1, GridPoint.LARGEST);
    }

    private static StepTime time(CsvTable.Row row) {
        StepTime time = new StepTime(row.number("step_time", 0, MOST), row.number("sync_time", 0, MOST));
        if (!(time.accumulatedSeconds() > 0)) {
            row.problem("sync_time", "a part of step_time, which is " + row.text("step_time"));
        }
        return time;
    }

    private NavigableMap<Integer, List<Epochs.Row>> readValidations() {
        NavigableMap<Integer, List<Epochs.Row>> byBatch = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher name = VALIDATION.matcher(file.getFileName().toString());
                if (name.matches()) {
                    List<Epochs.Row> rows = new ArrayList<>();
                    readRows(file, row -> rows.add(epoch(row, rows)));
                    byBatch.put(Integer.parseInt(name.group(1)), rows);
                }
            }
        } catch (IOException unreadable) {
            problems.add(folder + " cannot be read: " + unreadable);
        }
        if (byBatch.isEmpty()) {
            problems.add(folder + " has no validation-B.csv. Remedy: one for each batch B that was trained with");
        }
        return byBatch;
    }

    private static Epochs.Row epoch(CsvTable.Row row, List<Epochs.Row> before) {
        double begin = before.isEmpty() ? 0 : before.get(before.size() - 1).progress();
        double progress = row.number("progress", 0, MOST);
        if (!(progress > begin)) {
            row.problem("progress", "more than at the end of the epoch before, " + begin);
        }
        return new Epochs.Row(
                progress,
                row.number("iteration", 0, MOST),
                row.number("metric", 0, MOST),
                new GradientNoise(row.number("grad_sqr", 0, MOST), row.number("grad_var", 0, MOST)));
    }
}
