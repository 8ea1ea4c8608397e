package io.optimus.sim.trace.pollux;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.RoleDemand;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.CsvHeader;
import io.optimus.sim.input.CsvTable;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads workloads of the Pollux artifact: a line for each job, with its model, and the GPUs and the batch that its
 * owner asks for. The profile of a model is in the folder with its name.
 */
public final class PolluxReader implements TraceReader {
    private static final List<String> COLUMNS = List.of("name", "time", "application", "num_replicas", "batch_size");
    private static final double MOST_SECONDS = 1e12;
    private static final int MOST_REPLICAS = 100_000;

    /** A worker is a replica of the model on a GPU; no other resource of a node is scarce. */
    private static final Resources WORKER = Resources.of(0, 0, 1);

    @Override
    public String kind() {
        return "Pollux";
    }

    @Override
    public CsvHeader header() {
        return CsvHeader.of(COLUMNS);
    }

    @Override
    public Workload read(Path file, Surroundings surroundings) throws IOException, InvalidInputException {
        CsvTable csv = CsvTable.read(file);
        Path folder = surroundings
                .profiles()
                .orElseThrow(() -> new InvalidInputException(List.of(
                        file + " names models only. Remedy: name the folder with their profiles (--profiles)")));
        List<String> models = models(folder);
        if (models.isEmpty()) {
            throw new InvalidInputException(List.of(file + " names models, and " + folder
                    + " has no folder of any. Remedy: name the folder with their profiles (--profiles)"));
        }
        String known = String.join(", ", models);
        Map<String, Profile> profiles = profiles(folder, csv);
        Map<String, BestGoodput> goodputs = new HashMap<>();
        Map<String, Integer> lines = new HashMap<>();
        List<SimulatedJob> jobs = new ArrayList<>();
        for (CsvTable.Row row : csv.rows()) {
            Integer before = lines.putIfAbsent(row.text("name"), row.line());
            if (before != null) {
                row.problem("name", "a name that no other line has: line " + before + " has it, too");
            }
            Profile profile = profiles.get(row.text("application"));
            if (profile == null) {
                row.problem("application", "a model with a folder of its name in " + folder + ": " + known);
            } else {
                int gpusPerNode = surroundings.gpusPerNode();
                BestGoodput perfect =
                        goodputs.computeIfAbsent(profile.model(), model -> new BestGoodput(profile, gpusPerNode));
                jobs.add(job(row, profile, gpusPerNode, perfect));
            }
        }
        csv.refuseProblems();
        return new Workload(file.getFileName().toString(), jobs);
    }

    private static List<String> models(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isDirectory)
                    .map(model -> model.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static Map<String, Profile> profiles(Path folder, CsvTable csv) throws InvalidInputException {
        Map<String, Profile> profiles = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (String model : csv.rows().stream()
                .map(row -> row.text("application"))
                .distinct()
                .toList()) {
            Path profile = folder.resolve(model).normalize();
            if (folder.normalize().equals(profile.getParent()) && Files.isDirectory(profile)) {
                try {
                    profiles.put(model, new ProfileReader(profile).read());
                } catch (InvalidInputException wrong) {
                    problems.addAll(wrong.problems());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(problems);
        }
        return profiles;
    }

    private static SimulatedJob job(CsvTable.Row row, Profile profile, int gpusPerNode, BestGoodput perfect) {
        int batch = row.count(
                "batch_size",
                profile.batches().initialBatch(),
                profile.batches().maxBatch());
        int replicas = row.count("num_replicas", 1, MOST_REPLICAS);
        PolluxJob job = new PolluxJob(profile, batch, gpusPerNode, perfect);
        RoleDemand workers = new RoleDemand(WORKER, 1, Math.max(replicas, profile.mostReplicas()));
        return new SimulatedJob(
                row.text("name"),
                profile.model(),
                row.number("time", 0, MOST_SECONDS),
                new JobDemand(RoleDemand.NONE, workers),
                new Allocation(0, replicas),
                OptionalDouble.empty(),
                job);
    }
}
