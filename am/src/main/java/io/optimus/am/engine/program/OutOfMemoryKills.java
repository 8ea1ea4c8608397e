package io.optimus.am.engine.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Tells whether Linux has killed a process because memory ran out. Linux counts these kills for each control group, and for the
 * whole machine; anyone may read that.
 */
final class OutOfMemoryKills {
    private static final Path PROC = Path.of("/proc");
    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final String COUNTER = "oom_kill ";

    /** YARN names the control group of a container by its id. */
    private static final String CONTAINER = "container_";

    private final Path counters;
    private final boolean ofContainer;
    private final OptionalLong before;

    private OutOfMemoryKills(Path counters, boolean ofContainer) {
        this.counters = counters;
        this.ofContainer = ofContainer;
        this.before = count(counters);
    }

    /** Kills from now on: in the control group that YARN has made of this container or, where it makes none, on this machine. */
    static OutOfMemoryKills fromNow() {
        return fromNow(PROC, GROUPS);
    }

    /** The same with other folders. */
    static OutOfMemoryKills fromNow(Path proc, Path groups) {
        return ownCounters(proc, groups)
                .map(counters -> new OutOfMemoryKills(counters, true))
                .orElseGet(() -> new OutOfMemoryKills(proc.resolve("vmstat"), false));
    }

    /** Whether there was any; false where this is not known. */
    boolean any() {
        OptionalLong now = count(counters);
        return before.isPresent() && now.isPresent() && now.getAsLong() > before.getAsLong();
    }

    /** Whether only processes of this container count. */
    boolean areOfContainer() {
        return ofContainer;
    }

    /** Lines are {@code 0::/path} in version 2 of control groups, and {@code 4:memory:/path} in version 1. */
    private static Optional<Path> ownCounters(Path proc, Path groups) {
        try (Stream<String> lines = Files.lines(proc.resolve("self/cgroup"))) {
            return lines.map(line -> line.split(":", 3))
                    .filter(group -> group.length == 3 && group[2].contains(CONTAINER))
                    .flatMap(group -> counters(group[1], group[2].substring(1), groups).stream())
                    .filter(file -> count(file).isPresent())
                    .findFirst();
        } catch (IOException | UncheckedIOException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Path> counters(String controller, String path, Path groups) {
        return switch (controller) {
            case "" -> Optional.of(groups.resolve(path).resolve("memory.events"));
            case "memory" -> Optional.of(groups.resolve("memory").resolve(path).resolve("memory.oom_control"));
            default -> Optional.empty();
        };
    }

    private static OptionalLong count(Path counters) {
        try (Stream<String> lines = Files.lines(counters)) {
            return lines.filter(line -> line.startsWith(COUNTER))
                    .mapToLong(line -> Long.parseLong(line.substring(COUNTER.length())))
                    .findFirst();
        } catch (IOException | UncheckedIOException | NumberFormatException unknown) {
            return OptionalLong.empty();
        }
    }
}
