package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** The keys of one role, each declared once. */
final class RoleKeys {
    final FileKey<String> command;
    final FileKey<Integer> min;
    final FileKey<Integer> max;
    final FileKey<Integer> memoryMb;
    final FileKey<RoleSpec.Memory> memory;
    private final FileKey<Integer> vcores;
    final FileKey<Integer> gpus;
    private final FileKey<SortedMap<String, Long>> resources;
    private final FileKey<SortedMap<String, String>> environment;
    private final FileKey<Integer> retries;

    private final Predicate<KeyValues> exists;

    /**
     * Declares the keys of a role in {@code table}.
     *
     * @param exists whether the job of a file has the role, given the command of its tasks
     * @param section the dotted path of their section
     * @param tasks what the tasks of the role are called
     * @param gpuUse what computes on the GPUs of a task
     * @param defaultMemoryMb memory of a task by default, MiB
     */
    RoleKeys(
            KeyTable table,
            BiPredicate<KeyValues, FileKey<String>> exists,
            String section,
            String tasks,
            String gpuUse,
            int defaultMemoryMb) {
        command = table.optional(
                section + ".command",
                ValueType.text(""),
                "none",
                "what each task runs in a shell, with framework command");
        this.exists = values -> exists.test(values, command);
        min = table.defaultingWhere(
                this.exists,
                section + ".min",
                ValueType.count(1, JobKeys.MOST_TASKS),
                1,
                "fewest " + tasks + " that the job runs with; it starts when it has them");
        max = table.deriving(
                section + ".max",
                ValueType.count(1, JobKeys.MOST_TASKS),
                "as min",
                values -> values.find(min).filter(count -> exists(values)),
                "most " + tasks + " that the job is given");
        memoryMb = table.defaultingWhere(
                this.exists, section + ".memoryMb", JobKeys.memoryMb(), defaultMemoryMb, "MiB of memory of each task");
        memory = table.defaultingWhere(
                this.exists,
                section + ".memory",
                ValueType.oneOf(RoleSpec.Memory.class, "memoryMb is the amount"),
                RoleSpec.Memory.FIXED,
                "with `auto`, " + tasks
                        + " that run out of memory start again with half as much more, up to what YARN grants in"
                        + " the queue, and that is no failure (see [below](#memory-that-grows))");
        vcores = table.defaultingWhere(
                this.exists, section + ".vcores", JobKeys.vcores(), 1, "virtual cores of each task");
        gpus = table.defaultingWhere(
                this.exists,
                section + ".gpus",
                ValueType.count(0, 1_024),
                0,
                "GPUs (`yarn.io/gpu`) of each task; " + gpuUse + " (see [GPUs](gpus.md))");
        resources = table.defaultingWhere(
                this.exists,
                section + ".resources",
                ValueType.mapOf(ValueType.whole(1, Long.MAX_VALUE), RoleKeys::resourceProblem),
                new TreeMap<>(),
                "other resources of each task by their YARN names, as in `yarn.io/fpga: 1`");
        environment = table.defaultingWhere(
                this.exists,
                section + ".environment",
                ValueType.mapOf(ValueType.text(""), RoleKeys::variableProblem),
                new TreeMap<>(),
                "environment variables of each task");
        retries = table.defaultingWhere(
                this.exists,
                section + ".retries",
                ValueType.count(0, 1_000),
                3,
                "how often " + tasks
                        + " may fail before the job does; preempted containers and lost nodes do not count");
    }

    /** Whether the job has the role. */
    boolean exists(KeyValues values) {
        return exists.test(values);
    }

    /** The keys that mean nothing without the role. */
    List<FileKey<?>> ofTasks() {
        return List.of(min, max, memoryMb, memory, vcores, gpus, resources, environment, retries);
    }

    /** The role as {@code values} describe it; {@link RoleSpec#NONE} if the job does not have it. */
    RoleSpec read(KeyValues values) {
        return exists(values)
                ? new RoleSpec(
                        values.get(min),
                        values.get(max),
                        task(values),
                        values.get(memory),
                        values.get(environment),
                        values.get(retries))
                : RoleSpec.NONE;
    }

    /** Resources of one task. */
    Resources task(KeyValues values) {
        TreeMap<String, Long> amounts = new TreeMap<>(values.get(resources));
        amounts.put(Resources.MEMORY_MB, (long) values.get(memoryMb));
        amounts.put(Resources.VCORES, (long) values.get(vcores));
        amounts.put(Resources.GPUS, (long) values.get(gpus));
        return Resources.of(amounts);
    }

    private static String resourceProblem(String name) {
        Map<String, String> own = Map.of(
                Resources.MEMORY_MB,
                "memoryMb",
                "memory",
                "memoryMb",
                Resources.VCORES,
                "vcores",
                Resources.GPUS,
                "gpus");
        return Optional.ofNullable(own.get(name))
                .map(key -> name + " has a key of its own: give " + key + " instead")
                .orElse("");
    }

    static String variableProblem(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            return "'" + name + "' cannot name a variable: use letters, digits and underscores";
        }
        return name.startsWith("OPTIMUS_") ? name + " is set by Optimus itself: choose a name without OPTIMUS_" : "";
    }
}
