package io.optimus.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds our properties to an installation's configuration files where they are missing. Existing properties never
 * change: one that differs is printed, and the administrator decides. Queues and resource types do not change either;
 * {@link GpuAdvice} only names what they lack.
 */
public final class SiteMerge {
    private SiteMerge() {}

    /**
     * Takes {@code OUR_FOLDER THEIR_FOLDER DRY_RUN FILE...}. If a file cannot be read, exits 2 with a message and changes
     * nothing.
     */
    public static void main(String[] arguments) throws IOException {
        List<String> words = List.of(arguments);
        Path ours = Path.of(words.get(0));
        Path theirs = Path.of(words.get(1));
        boolean dryRun = Boolean.parseBoolean(words.get(2));
        Map<Path, String> changed = new LinkedHashMap<>();
        try {
            for (String file : words.subList(3, words.size())) {
                merge(ours.resolve(file), theirs.resolve(file), changed);
            }
            GpuAdvice.of(ours, theirs).forEach(System.err::println);
        } catch (IOException e) {
            System.err.println("Nothing was changed: " + e.getMessage());
            System.exit(2);
        }
        if (!dryRun) {
            for (Map.Entry<Path, String> change : changed.entrySet()) {
                replace(change.getKey(), change.getValue());
            }
        }
    }

    private static void merge(Path ours, Path theirs, Map<Path, String> changed) throws IOException {
        if (!Files.exists(theirs)) {
            System.err.println(theirs + ": new");
            changed.put(theirs, Files.readString(ours));
            return;
        }
        SiteFile installed = SiteFile.read(theirs);
        Map<String, String> additions = new LinkedHashMap<>();
        SiteFile.read(ours).properties().forEach((name, wanted) -> {
            String there = installed.properties().get(name);
            if (there == null) {
                System.err.println(theirs + ": adds " + name + " = " + wanted);
                additions.put(name, wanted);
            } else if (there != null && !there.equals(wanted)) {
                System.err.println(theirs + ": KEPT " + name + " = " + there + "; Optimus ships with " + wanted);
            }
        });
        if (!additions.isEmpty()) {
            changed.put(theirs, installed.with(additions));
        }
    }

    /** Replaces the whole file or nothing. A copy from before the first change is kept beside it. */
    private static void replace(Path file, String text) throws IOException {
        Path before = file.resolveSibling(file.getFileName() + ".before-optimus");
        if (Files.exists(file) && !Files.exists(before)) {
            Files.copy(file, before, StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
