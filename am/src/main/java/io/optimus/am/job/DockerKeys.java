package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.KeyTable;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.ValueType;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The keys of the Docker image in which YARN runs a job's processes, each declared once. */
final class DockerKeys {
    /** The names that YARN's DockerLinuxContainerRuntime accepts. */
    private static final Pattern IMAGE =
            Pattern.compile("(([a-zA-Z0-9.-]+)(:\\d+)?/)?([a-z0-9_./-]+)(:[\\w.-]+)?|sha256:[a-z0-9]{12,64}");

    private static final Pattern MOUNT = Pattern.compile("/[^:,]*:/[^:,]*:(ro|rw)");
    private static final String VARIABLE = "YARN_CONTAINER_RUNTIME_DOCKER_";

    private final FileKey<String> image;
    private final FileKey<List<String>> mounts;
    private final FileKey<String> javaHome;
    private final FileKey<Boolean> applicationMaster;

    DockerKeys(KeyTable table) {
        image = table.optional(
                "docker.image",
                ValueType.text(""),
                "no image",
                "Docker image in which YARN runs the tasks; see [Docker images](#docker-images)");
        mounts = table.defaultingWhere(
                this::given,
                "docker.mounts",
                ValueType.listOf(ValueType.text("`source:target:ro` or `:rw`")),
                List.of(),
                "folders of the node that the image gets");
        javaHome = table.optional(
                "docker.javaHome",
                ValueType.text(""),
                "the image's JAVA_HOME, else the node's",
                "folder of Java 17 inside the image");
        applicationMaster = table.defaultingWhere(
                this::given,
                "docker.applicationMaster",
                ValueType.truth(),
                false,
                "`true`: the ApplicationMaster runs in the image, too");
    }

    private boolean given(KeyValues values) {
        return values.find(image).isPresent();
    }

    /** Adds every problem to the values. */
    void check(KeyValues values) {
        if (values.valid(image) && !given(values)) {
            for (FileKey<?> key : List.of(mounts, javaHome, applicationMaster)) {
                if (values.isGiven(key)) {
                    values.addProblem(key, "means nothing without docker.image: add it, or leave this out");
                }
            }
        }
        values.find(image)
                .filter(name -> !IMAGE.matcher(name).matches())
                .ifPresent(name -> values.addProblem(
                        image,
                        "'" + name + "' is no image that YARN accepts: write [REGISTRY/]NAME[:TAG], the name in lower"
                                + " case"));
        for (String mount : values.find(mounts).orElse(List.of())) {
            if (!MOUNT.matcher(mount).matches()) {
                values.addProblem(
                        mounts,
                        "'" + mount + "' is no mount: write SOURCE:TARGET:ro or SOURCE:TARGET:rw, both absolute paths");
            }
        }
        values.find(javaHome)
                .filter(path -> !path.startsWith("/"))
                .ifPresent(path ->
                        values.addProblem(javaHome, "'" + path + "' is not absolute: write the path inside the image"));
    }

    /** The variables by which NodeManagers run tasks in the image; none without an image. */
    SortedMap<String, String> ofTasks(KeyValues values) {
        SortedMap<String, String> variables = new TreeMap<>();
        Optional<String> name = values.find(image);
        if (name.isEmpty()) {
            return variables;
        }
        variables.put("YARN_CONTAINER_RUNTIME_TYPE", "docker");
        variables.put(VARIABLE + "IMAGE", name.get());
        // Tasks find each other by the names of their nodes.
        variables.put(VARIABLE + "CONTAINER_NETWORK", "host");
        List<String> folders = values.find(mounts).orElse(List.of());
        if (!folders.isEmpty()) {
            variables.put(VARIABLE + "MOUNTS", String.join(",", folders));
        }
        values.find(javaHome).ifPresent(path -> variables.put("JAVA_HOME", path));
        return variables;
    }

    /** The same variables for the ApplicationMaster, if it runs in the image. */
    SortedMap<String, String> ofApplicationMaster(KeyValues values) {
        return values.find(applicationMaster).orElse(false) ? ofTasks(values) : new TreeMap<>();
    }
}
