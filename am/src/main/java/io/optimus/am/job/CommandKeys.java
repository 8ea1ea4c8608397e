package io.optimus.am.job;

import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import io.optimus.model.Role;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The keys of commands that train by themselves, each declared once; they have values only with {@code framework: command}. */
final class CommandKeys {
    private static final int GRACE_SECONDS = 30;

    final FileKey<Elasticity> elastic;
    final FileKey<Integer> graceSeconds;
    final FileKey<Boolean> chief;
    final FileKey<String> checkpointFolder;

    CommandKeys(KeyTable table, ProgramKeys program) {
        elastic = table.defaultingWhere(
                program::runsCommands,
                "elastic.kind",
                ValueType.oneOf(Elasticity.class),
                Elasticity.NONE,
                "how commands are resized: not at all; all end and start again; or live, by torchrun. `elastic: torchrun` says"
                        + " the same as `elastic: {kind: torchrun}`");
        graceSeconds = table.defaultingWhere(
                program::runsCommands,
                "elastic.graceSeconds",
                ValueType.count(0, 86_400),
                GRACE_SECONDS,
                "seconds between SIGTERM, on which a command writes its checkpoint and ends, and SIGKILL");
        chief = table.defaultingWhere(
                program::runsCommands,
                "roles.worker.chief",
                ValueType.truth(),
                false,
                "`true`: the first worker is called chief, and the job ends when its command does");
        checkpointFolder = table.optional(
                "checkpoint.folder",
                ValueType.text("/path or URI"),
                "none",
                "where commands keep their checkpoints, given to them as OPTIMUS_CHECKPOINT_DIR; `"
                        + JobSpec.APPLICATION + "` stands for the application's id");
    }

    /** The keys that mean nothing without commands. */
    List<FileKey<?>> all() {
        return List.of(
                JobKeys.WORKER.command,
                JobKeys.PARAMETER_SERVER.command,
                elastic,
                graceSeconds,
                chief,
                checkpointFolder);
    }

    /** The commands, if there are any. */
    Optional<CommandSpec> read(KeyValues values) {
        if (!JobKeys.PROGRAM.runsCommands(values)) {
            return Optional.empty();
        }
        TreeMap<Role, String> lines = new TreeMap<>();
        lines.put(Role.WORKER, values.get(JobKeys.WORKER.command));
        values.find(JobKeys.PARAMETER_SERVER.command).ifPresent(line -> lines.put(Role.PARAMETER_SERVER, line));
        return Optional.of(new CommandSpec(
                lines,
                values.get(elastic),
                values.get(graceSeconds),
                values.get(chief),
                values.find(checkpointFolder).orElse(""),
                values.get(JobKeys.PROGRAM.environment)));
    }
}
