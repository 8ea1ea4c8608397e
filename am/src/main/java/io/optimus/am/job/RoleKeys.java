package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import io.optimus.am.yaml.ValueTypes;
import io.optimus.model.cluster.Resources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** The keys of one role. */
public record RoleKeys(
        FileKey<Integer> min,
        FileKey<Integer> max,
        FileKey<Integer> memoryMb,
        FileKey<Integer> vcores,
        FileKey<Integer> gpus,
        FileKey<SortedMap<String, Long>> resources,
        FileKey<SortedMap<String, String>> environment,
        FileKey<Integer> retries) {

    /** Keys under {@code path}, for the role that {@code role} finds in a spec. */
    static RoleKeys of(String path, String tasks, int memoryMb, Function<JobSpec, RoleSpec> role) {
        return new RoleKeys(
                FileKey.defaulting(
                        path + ".min",
                        ValueTypes.count(1, JobKeys.MOST_TASKS),
                        1,
                        "fewest " + tasks + " that the job runs with; it starts when it has them",
                        role.andThen(RoleSpec::min)),
                FileKey.optional(
                        path + ".max",
                        ValueTypes.count(1, JobKeys.MOST_TASKS),
                        "as min",
                        "most " + tasks + " that the job is given",
                        role.andThen(spec -> Optional.of(spec.max()))),
                amount(path + ".memoryMb", JobKeys.memory(), memoryMb, Resources.MEMORY_MB, "MiB of memory", role),
                amount(path + ".vcores", JobKeys.vcores(), 1, Resources.VCORES, "virtual cores", role),
                amount(
                        path + ".gpus",
                        ValueTypes.count(0, 1_024),
                        0,
                        Resources.GPUS,
                        "GPUs (`yarn.io/gpu`; engines compute on CPUs)",
                        role),
                FileKey.defaulting(
                        path + ".resources",
                        ValueTypes.mapOf(ValueTypes.whole(1, Long.MAX_VALUE), RoleKeys::refusedResource),
                        new TreeMap<>(),
                        "other resources of each task, by YARN's name, as `yarn.io/fpga: 1`",
                        role.andThen(RoleKeys::otherResources)),
                FileKey.defaulting(
                        path + ".environment",
                        ValueTypes.mapOf(ValueTypes.text(""), RoleKeys::refusedVariable),
                        new TreeMap<>(),
                        "variables of each task's process",
                        role.andThen(RoleSpec::environment)),
                FileKey.defaulting(
                        path + ".retries",
                        ValueTypes.count(0, 1_000),
                        3,
                        "how often " + tasks
                                + " may fail before the job does; preempted containers and lost nodes do not"
                                + " count",
                        role.andThen(RoleSpec::retries)));
    }

    /** All, in the table's order. */
    List<FileKey<?>> all() {
        return List.of(min, max, memoryMb, vcores, gpus, resources, environment, retries);
    }

    /** Of what was given. */
    RoleSpec read(KeyValues given) {
        int fewest = given.get(min);
        return new RoleSpec(
                fewest, given.find(max).orElse(fewest), task(given), given.get(environment), given.get(retries));
    }

    /** Resources of one task, of what was given. */
    Resources task(KeyValues given) {
        TreeMap<String, Long> amounts = new TreeMap<>(given.get(resources));
        amounts.put(Resources.MEMORY_MB, (long) given.get(memoryMb));
        amounts.put(Resources.VCORES, (long) given.get(vcores));
        amounts.put(Resources.GPUS, (long) given.get(gpus));
        return Resources.of(amounts);
    }

    private static FileKey<Integer> amount(
            String path,
            ValueType<Integer> type,
            int byDefault,
            String resource,
            String words,
            Function<JobSpec, RoleSpec> role) {
        return FileKey.defaulting(
                path,
                type,
                byDefault,
                words + " of each task",
                role.andThen(spec -> Math.toIntExact(spec.task().amount(resource))));
    }

    private static SortedMap<String, Long> otherResources(RoleSpec role) {
        TreeMap<String, Long> others = new TreeMap<>(role.task().amounts());
        others.keySet().removeAll(List.of(Resources.MEMORY_MB, Resources.VCORES, Resources.GPUS));
        return others;
    }

    private static String refusedResource(String name) {
        Map<String, String> own = Map.of(
                Resources.MEMORY_MB,
                "memoryMb",
                "memory",
                "memoryMb",
                Resources.VCORES,
                "vcores",
                Resources.GPUS,
                "gpus");
        String key = own.get(name);
        return key == null ? "" : name + " has a key of its own: give " + key + " instead";
    }

    private static String refusedVariable(String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            return "'" + name + "' is no name of a variable: use letters, digits and underscores";
        }
        return name.startsWith("OPTIMUS_") ? name + " is set by Optimus itself: choose a name without OPTIMUS_" : "";
    }
}
