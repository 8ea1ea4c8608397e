package io.optimus.am.job;

import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The keys of an owner's own program, each declared once. Those of a Python program have values only with {@code framework:
 * python}, the others also with {@code framework: command}.
 */
final class ProgramKeys {
    /** What trains. */
    enum Framework {
        /** The engines that come with Optimus. */
        OPTIMUS,
        /** A Python program of the job's owner. */
        PYTHON,
        /** Programs of the job's owner that communicate by themselves. */
        COMMAND
    }

    final FileKey<Framework> framework;
    final FileKey<String> script;
    final FileKey<String> module;
    final FileKey<List<String>> arguments;
    final FileKey<String> python;
    final FileKey<List<String>> files;
    final FileKey<List<String>> archives;
    final FileKey<SortedMap<String, String>> environment;
    final FileKey<Integer> evaluationTimeoutSeconds;

    ProgramKeys(KeyTable table) {
        framework = table.defaulting(
                "framework",
                ValueType.oneOf(Framework.class),
                Framework.OPTIMUS,
                "what trains: an engine that comes with Optimus, your own PyTorch program, or commands that communicate by themselves");
        script = table.optional(
                "program.script",
                ValueType.text(""),
                "this or `module`, with python",
                "your script, a path from the folder of the job file; it is sent to the workers");
        module = table.optional(
                "program.module",
                ValueType.text(""),
                "this or `script`, with python",
                "a module that is run as `python -m MODULE`");
        arguments = table.defaultingWhere(
                this::runsPython,
                "program.args",
                ValueType.listOf(ValueType.text("")),
                List.of(),
                "arguments of the program");
        python = table.defaultingWhere(
                this::runsPython,
                "program.python",
                ValueType.text(""),
                "python3",
                "the interpreter: a command or path on every node, or a path inside an archive such as `env/bin/python`");
        files = table.defaultingWhere(
                this::trains,
                "files",
                ValueType.listOf(ValueType.text("`path` or `path#alias`")),
                List.of(),
                "files for the folder of each worker: local ones, which are sent, or URIs of the cluster's file system");
        archives = table.defaultingWhere(
                this::trains,
                "archives",
                ValueType.listOf(ValueType.text("`path` or `path#alias`")),
                List.of(),
                "the same for .zip, .tar, .tar.gz and .tgz, each of which is unpacked into a folder named by its alias");
        environment = table.defaultingWhere(
                this::trains,
                "environment",
                ValueType.mapOf(ValueType.text(""), RoleKeys::variableProblem),
                new TreeMap<>(),
                "environment variables of the program");
        evaluationTimeoutSeconds = table.defaultingWhere(
                this::runsPython,
                "evaluationTimeoutSeconds",
                ValueType.count(1, 604_800),
                1_800,
                "a worker counts as hung if it takes longer than this, in seconds, between two epochs (where it may evaluate) or for"
                        + " its first step");
    }

    /** Whether a program of the owner trains. */
    boolean trains(KeyValues values) {
        return values.get(framework) != Framework.OPTIMUS;
    }

    /** Whether a Python program of the owner trains beside our workers. */
    boolean runsPython(KeyValues values) {
        return values.get(framework) == Framework.PYTHON;
    }

    /** Whether commands of the owner train by themselves. */
    boolean runsCommands(KeyValues values) {
        return values.get(framework) == Framework.COMMAND;
    }

    /** The keys that mean nothing without an owner's program. */
    List<FileKey<?>> all() {
        return List.of(script, module, arguments, python, files, archives, environment, evaluationTimeoutSeconds);
    }

    /** The keys that mean nothing without a Python program. */
    List<FileKey<?>> ofPython() {
        return List.of(script, module, arguments, python, evaluationTimeoutSeconds);
    }

    /** The Python program, if there is one. */
    Optional<ProgramSpec> read(KeyValues values) {
        if (!runsPython(values)) {
            return Optional.empty();
        }
        Optional<ProgramSpec.Main> asModule = values.find(module).map(name -> new ProgramSpec.Main(name, true));
        ProgramSpec.Main main = asModule.orElseGet(() ->
                new ProgramSpec.Main(WorkerFile.of(values.get(script), false).alias(), false));
        return Optional.of(new ProgramSpec(values.get(python), main, values.get(arguments), values.get(environment)));
    }

    /**
     * A file for the workers' folder.
     *
     * @param key the key that names it
     */
    record Listed(FileKey<?> key, WorkerFile file) {}

    /** The files for the workers' folder, in the order of the keys. */
    List<Listed> workerFiles(KeyValues values) {
        List<Listed> found = new ArrayList<>();
        values.find(script).ifPresent(path -> found.add(new Listed(script, WorkerFile.of(path, false))));
        values.find(files).orElse(List.of()).forEach(path -> found.add(new Listed(files, WorkerFile.of(path, false))));
        values.find(archives)
                .orElse(List.of())
                .forEach(path -> found.add(new Listed(archives, WorkerFile.of(path, true))));
        return found;
    }
}
