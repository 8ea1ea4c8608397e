package io.optimus.am.job;

import io.optimus.am.engine.EngineSpec;
import io.optimus.am.job.JobSpec.Optimizer;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.Overrides;
import io.optimus.am.yaml.UnknownKeys;
import io.optimus.am.yaml.YamlText;
import io.optimus.am.yaml.YamlValue;
import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Job files: YAML in which a user describes a training job; {@code docs/job-file.md} has every key.
 *
 * <p>Everything that is wrong is reported at once, each with its line and the remedy.
 */
public final class JobFile {
    private final JobSpec spec;
    private final ClusterDemand demand;

    private JobFile(JobSpec spec, ClusterDemand demand) {
        this.spec = spec;
        this.demand = demand;
    }

    /** What it describes. */
    public JobSpec spec() {
        return spec;
    }

    /** What it asks of a cluster. */
    public ClusterDemand demand() {
        return demand;
    }

    /**
     * Reads a job file.
     *
     * @param overrides {@code dotted.path=value} each, stronger than the file, the last the strongest
     * @throws IOException where the file cannot be read
     * @throws InvalidJobFileException where file or overrides have problems
     */
    public static JobFile read(Path file, List<String> overrides) throws IOException, InvalidJobFileException {
        try {
            return parse(file.toString(), Files.readString(file), overrides);
        } catch (CharacterCodingException wrong) {
            throw InvalidJobFileException.of(file.toString(), "This is no UTF-8 text: save it as UTF-8");
        }
    }

    /**
     * Reads the text of a job file that problems call {@code source}.
     *
     * @param overrides as in {@link #read}
     * @throws InvalidJobFileException where text or overrides have problems
     */
    public static JobFile parse(String source, String text, List<String> overrides) throws InvalidJobFileException {
        List<FileProblem> problems = new ArrayList<>();
        Optional<YamlValue> file = YamlText.ofFile(source, text, problems);
        if (file.isPresent() && file.get() instanceof Section section) {
            Section whole = new Overrides(problems).apply(section, overrides);
            return read(whole, problems);
        }
        file.ifPresent(value -> problems.add(
                new FileProblem(value.origin(), "", "A job file is a section of keys, not " + value.words())));
        throw new InvalidJobFileException(problems, Optional.empty());
    }

    /** The job file that says all of {@code spec}, every default included. */
    public static String print(JobSpec spec) {
        Map<String, Object> file = new LinkedHashMap<>();
        JobKeys.ALL.forEach(key -> print(key, spec, file));
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(options).dump(file);
    }

    private static <T> void print(FileKey<T> key, JobSpec spec, Map<String, Object> file) {
        key.of()
                .apply(spec)
                .ifPresent(value -> put(file, key.names(), key.type().show(value)));
    }

    @SuppressWarnings("unchecked") // only this method puts maps here, of this type
    private static void put(Map<String, Object> file, List<String> path, Object value) {
        Map<String, Object> section = file;
        for (String name : path.subList(0, path.size() - 1)) {
            section =
                    (Map<String, Object>) section.computeIfAbsent(name, absent -> new LinkedHashMap<String, Object>());
        }
        section.put(path.get(path.size() - 1), value);
    }

    private static JobFile read(Section file, List<FileProblem> problems) throws InvalidJobFileException {
        new UnknownKeys(problems).check(file);
        KeyValues given = new KeyValues(file, problems);
        JobChecks checks = new JobChecks(given);
        checks.check();
        ClusterDemand demand = new ClusterDemand(file, given);
        if (!problems.isEmpty()) {
            problems.sort(Comparator.comparing(FileProblem::where));
            throw new InvalidJobFileException(problems, Optional.of(demand));
        }
        return new JobFile(spec(given, checks.engine()), demand);
    }

    private static JobSpec spec(KeyValues given, EngineSpec engine) {
        return new JobSpec(
                given.get(JobKeys.NAME),
                given.get(JobKeys.QUEUE),
                given.get(JobKeys.PRIORITY),
                given.get(JobKeys.PREEMPTIBLE),
                given.get(JobKeys.MIN_RUN_SECONDS),
                given.get(JobKeys.MODE),
                engine,
                given.get(JobKeys.DATASET),
                given.get(JobKeys.GLOBAL_BATCH),
                given.get(JobKeys.SEED),
                optimizer(given),
                stop(given),
                JobKeys.WORKER.read(given),
                given.get(JobKeys.GPU_TYPES),
                JobKeys.PARAMETER_SERVER.read(given),
                new JobSpec.Checkpoint(given.get(JobKeys.CHECKPOINT_STEPS), given.get(JobKeys.CHECKPOINT_SECONDS)),
                given.get(JobKeys.OUTPUT),
                new JobSpec.Master(given.get(JobKeys.MASTER_MEMORY), given.get(JobKeys.MASTER_VCORES)),
                given.get(JobKeys.MAX_ATTEMPTS),
                given.get(JobKeys.LOG_LEVEL));
    }

    private static Optimizer optimizer(KeyValues given) {
        double decay = given.get(JobKeys.WEIGHT_DECAY);
        Optional<Double> rate = given.find(JobKeys.LEARNING_RATE);
        if (given.get(JobKeys.OPTIMIZER).equals(JobKeys.SGD)) {
            return new Optimizer.Sgd(
                    rate.orElse(0.1), given.find(JobKeys.MOMENTUM).orElse(0.9), decay);
        }
        return new Optimizer.Adam(
                rate.orElse(0.001),
                given.find(JobKeys.BETA1).orElse(0.9),
                given.find(JobKeys.BETA2).orElse(0.999),
                given.find(JobKeys.EPSILON).orElse(1e-8),
                decay);
    }

    private static StopRule stop(KeyValues given) {
        List<StopRule> rules = new ArrayList<>();
        given.find(JobKeys.PLATEAU_DECREASE)
                .ifPresent(decrease -> rules.add(new StopRule.LossPlateau(
                        decrease, given.find(JobKeys.PLATEAU_EPOCHS).orElse(3))));
        given.find(JobKeys.TARGET_LOSS).ifPresent(loss -> rules.add(new StopRule.TargetLoss(loss)));
        rules.add(new StopRule.MaxEpochs(given.find(JobKeys.MAX_EPOCHS).orElse(100)));
        return new StopRule.FirstOf(rules);
    }
}
