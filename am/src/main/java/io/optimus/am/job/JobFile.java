package io.optimus.am.job;

import io.optimus.am.dataset.Datasets;
import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.Overrides;
import io.optimus.am.yaml.YamlText;
import io.optimus.am.yaml.YamlValue;
import io.optimus.am.yaml.YamlValue.Section;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A job file: YAML in which a user describes a training job, or a {@code tony.xml}; {@code docs/job-file.md} has every key.
 *
 * <p>All problems are reported at once, each with its line and the remedy.
 *
 * @param spec the job that the file describes
 * @param demand what the job asks of a cluster
 * @param folder the folder from which the paths in the file start
 * @param remarks what the file asks for and the job ignores, one sentence each
 */
public record JobFile(JobSpec spec, ClusterDemand demand, Path folder, List<String> remarks) {
    public JobFile {
        remarks = List.copyOf(remarks);
    }

    /**
     * Reads a job file.
     *
     * @param overrides one {@code dotted.path=value} each; they override the file, and later ones override earlier ones
     * @throws IOException if the file cannot be read
     * @throws InvalidJobFileException if the file or an override has problems
     */
    public static JobFile read(Path file, List<String> overrides) throws IOException, InvalidJobFileException {
        try {
            return parse(file.toString(), Files.readString(file), overrides);
        } catch (CharacterCodingException wrong) {
            throw InvalidJobFileException.of(file.toString(), "This is not UTF-8 text: save it as UTF-8");
        }
    }

    /**
     * Reads the text of a job file.
     *
     * @param source the path of the file, which problem texts name; paths in the file start from its folder
     * @param overrides as in {@link #read}
     * @throws InvalidJobFileException if the text or an override has problems
     */
    public static JobFile parse(String source, String text, List<String> overrides) throws InvalidJobFileException {
        List<FileProblem> problems = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        Optional<? extends YamlValue> file = source.toLowerCase(Locale.ROOT).endsWith(".xml")
                ? TonyFile.read(source, text, problems, remarks)
                : YamlText.ofFile(source, text, problems);
        Optional<Section> section = file.flatMap(YamlValue::section);
        if (section.isEmpty()) {
            file.ifPresent(value -> problems.add(
                    new FileProblem(value.position(), "", "A job file is a section of keys, not " + value.words())));
            throw new InvalidJobFileException(problems, Optional.empty());
        }
        Section whole = new Overrides(JobKeys.TABLE, problems).apply(section.get(), overrides);
        KeyValues values = new KeyValues(JobKeys.TABLE, whole, problems);
        Path folder = Path.of(source).toAbsolutePath().resolveSibling("");
        new JobChecks(values, folder).check();
        ClusterDemand demand = new ClusterDemand(values);
        if (!values.problems().isEmpty()) {
            throw new InvalidJobFileException(values.problems(), Optional.of(demand));
        }
        JobSpec spec = new JobSpec(values);
        if (spec.parameterServer().memory() == RoleSpec.Memory.FIXED) {
            ServerMemory.shortage(spec).ifPresent(lack -> values.addProblem(JobKeys.PARAMETER_SERVER.memoryMb, lack));
        }
        if (!values.problems().isEmpty()) {
            throw new InvalidJobFileException(values.problems(), Optional.of(demand));
        }
        return new JobFile(spec, demand, folder, remarks);
    }

    /** The local files that are sent to the workers. */
    public List<WorkerFile> uploads() {
        return spec.workerFiles().stream().filter(file -> !file.onCluster()).toList();
    }

    /** What the client cannot check, one sentence each; it does not keep the job from being submitted. */
    public List<String> warnings() {
        Stream<String> data = Datasets.folderElsewhere(spec.dataset()).stream()
                .map(
                        folder -> "dataset: there is no folder " + folder
                                + " on this machine; each worker looks for it on its node, and the job fails if it is missing there");
        return Stream.concat(remarks.stream(), data).toList();
    }

    /** The text of a job file with every key of {@code spec}, defaults included. */
    public static String print(JobSpec spec) {
        return YamlText.print(spec.print());
    }
}
