package io.optimus.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds our properties to an installation's configuration files where they are missing. Existing properties never
 * change: one that differs is printed, and the administrator decides. Queues and resource types do not change either;
 * {@link GpuAdvice} only names what they lack.
 */
public final class SiteMerge {
    /** Beside each changed file, the properties that were put in, so that they can be taken out. */
    private static final String OUR_CLASSES = "io.optimus.";

    private static final String RECORD = ".optimus-added";

    private static final String BEFORE = ".before-optimus";
    private static final String EMPTY = "<?xml version=\"1.0\"?>\n<configuration>\n</configuration>\n";

    private SiteMerge() {}

    /**
     * Takes {@code OUR_FOLDER THEIR_FOLDER DRY_RUN FILE...}; or {@code take-out THEIR_FOLDER DRY_RUN FILE...}, which takes out
     * what was put in. If a file cannot be read, exits 2 with a message and changes nothing.
     */
    public static void main(String[] arguments) throws IOException {
        List<String> words = List.of(arguments);
        if (words.get(0).equals("take-out")) {
            for (String file : words.subList(3, words.size())) {
                takeOut(Path.of(words.get(1)).resolve(file), Boolean.parseBoolean(words.get(2)));
            }
            return;
        }
        Path ours = Path.of(words.get(0));
        Path theirs = Path.of(words.get(1));
        boolean dryRun = Boolean.parseBoolean(words.get(2));
        Map<Path, String> changed = new LinkedHashMap<>();
        try {
            for (String file : words.subList(3, words.size())) {
                merge(ours.resolve(file), theirs.resolve(file), changed);
            }
            GpuAdvice.of(ours, theirs).forEach(System.err::println);
            Path site = theirs.resolve("yarn-site.xml");
            String after = changed.containsKey(site) ? changed.get(site) : Files.readString(site);
            Verdict.of(SiteFile.of(after, site).properties(), site).forEach(System.out::println);
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
            Path record = theirs.resolveSibling(theirs.getFileName() + RECORD);
            SiteFile added = Files.exists(record) ? SiteFile.read(record) : SiteFile.of(EMPTY, record);
            changed.put(
                    record,
                    SiteFile.of(added.without(additions.keySet()), record).with(additions));
        }
    }

    /**
     * Takes out the properties that were put in and have not been changed since. The copy from before goes where the file is again
     * what it was. Nothing is taken out where the file would still name classes that go.
     */
    private static void takeOut(Path file, boolean dryRun) throws IOException {
        Path record = file.resolveSibling(file.getFileName() + RECORD);
        SiteFile installed = SiteFile.read(file);
        Map<String, String> added = Files.exists(record) ? SiteFile.read(record).properties() : Map.of();
        refuseIfNamed(file, installed.properties(), added);
        if (!Files.exists(record)) {
            System.err.println(file + ": nothing to take out, since " + record.getFileName() + " is not there");
            return;
        }
        List<String> names = new ArrayList<>();
        added.forEach((name, value) -> {
            String there = installed.properties().get(name);
            if (value.equals(there)) {
                System.err.println(file + ": takes out " + name + " = " + value);
                names.add(name);
            } else if (there != null) {
                System.err.println(
                        file + ": KEPT " + name + " = " + there + ", which was " + value + " when installed");
            }
        });
        if (dryRun) {
            return;
        }
        String left = installed.without(names);
        Path before = file.resolveSibling(file.getFileName() + BEFORE);
        write(file, left);
        Files.delete(record);
        if (Files.exists(before) && Files.readString(before).equals(left)) {
            Files.delete(before);
        }
    }

    /** A ResourceManager does not start with classes that are gone, and nobody but who named them knows what to name instead. */
    private static void refuseIfNamed(Path file, Map<String, String> installed, Map<String, String> added) {
        List<String> named = installed.entrySet().stream()
                .filter(each -> each.getValue().contains(OUR_CLASSES)
                        && !each.getValue().equals(added.get(each.getKey())))
                .map(each -> each.getKey() + " = " + each.getValue())
                .toList();
        if (!named.isEmpty()) {
            System.err.println(
                    "Nothing was changed: " + file + " names classes of Optimus that scripts/install did not put in,"
                            + " and without them the ResourceManager does not start. Set these properties to what they were before"
                            + " Optimus, then run this again: " + String.join("; ", named));
            System.exit(2);
        }
    }

    /** Replaces the whole file or nothing. A copy from before the first change is kept beside it. */
    private static void replace(Path file, String text) throws IOException {
        Path before = file.resolveSibling(file.getFileName() + BEFORE);
        boolean isRecord = file.toString().endsWith(RECORD);
        if (Files.exists(file) && !Files.exists(before) && !isRecord) {
            Files.copy(file, before, StandardCopyOption.COPY_ATTRIBUTES);
        }
        write(file, text);
    }

    private static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
