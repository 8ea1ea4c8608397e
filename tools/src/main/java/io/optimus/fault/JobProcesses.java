package io.optimus.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The processes in the containers of a local cluster, as /proc shows them. */
final class JobProcesses {
    private static final Path PROC = Path.of("/proc");
    private static final String MASTER_CLASS = "io.optimus.am.master.ApplicationMaster";

    private JobProcesses() {}

    /**
     * A process of a job.
     *
     * @param pid its number
     * @param application the application's id
     * @param task the task, such as {@code worker-1}; {@code master}: the ApplicationMaster; empty: a shell or another helper
     */
    record JobProcess(long pid, String application, String task) {}

    /** All processes whose working folder lies in {@code nodes}, the folder of the NodeManagers. */
    static List<JobProcess> in(Path nodes) {
        List<JobProcess> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(PROC)) {
            entries.filter(entry -> entry.getFileName().toString().matches("\\d+"))
                    .forEach(entry -> read(entry, nodes).ifPresent(found::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static Optional<JobProcess> read(Path entry, Path nodes) {
        try {
            if (!Files.readSymbolicLink(entry.resolve("cwd")).startsWith(nodes)) {
                return Optional.empty();
            }
            Map<String, String> environment = environment(entry);
            String container = environment.getOrDefault("CONTAINER_ID", "");
            if (container.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new JobProcess(
                    Long.parseLong(entry.getFileName().toString()),
                    applicationOf(container),
                    task(arguments(entry), environment)));
        } catch (IOException | UncheckedIOException e) {
            // It has just ended, or belongs to another user.
            return Optional.empty();
        }
    }

    private static String task(List<String> arguments, Map<String, String> environment) {
        boolean isJava = !arguments.isEmpty() && arguments.get(0).endsWith("java");
        if (!isJava) {
            return "";
        }
        return arguments.contains(MASTER_CLASS) ? "master" : environment.getOrDefault("OPTIMUS_TASK", "");
    }

    /** Example: {@code container_e02_1700000000000_0007_01_000002} belongs to {@code application_1700000000000_0007}. */
    static String applicationOf(String container) {
        String[] parts = container.split("_", -1);
        int first = parts[1].startsWith("e") ? 2 : 1;
        return "application_" + parts[first] + "_" + parts[first + 1];
    }

    /** The words of a process's command line. */
    static List<String> arguments(Path entry) throws IOException {
        return texts(entry.resolve("cmdline"));
    }

    /** The environment that a process was started with. */
    static Map<String, String> environment(Path entry) throws IOException {
        Map<String, String> variables = new HashMap<>();
        for (String variable : texts(entry.resolve("environ"))) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                variables.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return variables;
    }

    private static List<String> texts(Path file) throws IOException {
        return List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\0"));
    }
}
