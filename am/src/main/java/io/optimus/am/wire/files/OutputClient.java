package io.optimus.am.wire.files;

import io.optimus.am.wire.Backoff;
import io.optimus.am.wire.CoordinatorConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A worker's end of {@link OutputTransfer}. */
public final class OutputClient {
    /** What a job keeps of its program's files. A checkpoint of a large model is 10 GiB. */
    public static final Limits LIMITS = new Limits(1_000, 32L << 30);

    private OutputClient() {}

    /**
     * How much is sent.
     *
     * @param files the most files
     * @param bytes the most bytes of all files together
     */
    public record Limits(int files, long bytes) {}

    /**
     * Sends the files of {@code folder} and of the folders in it. Leaves out what cannot be kept.
     *
     * @return a sentence for each kind of files that were left out
     * @throws IOException if the files cannot be read or sent
     */
    public static List<String> send(CoordinatorConnection link, Path folder, Limits limits) throws IOException {
        Choice choice = Choice.of(folder, limits);
        if (!choice.files.isEmpty()) {
            sendAll(link, choice.files);
        }
        return choice.warnings;
    }

    /** Sends the files again while the coordinator's store fails, as long as the coordinator has patience. */
    private static void sendAll(CoordinatorConnection link, Map<String, Path> files) throws IOException {
        Backoff backoff = Backoff.ofStore();
        byte reply = send(link, files);
        while (reply == CheckpointTransfer.STORE_FAILED) {
            Backoff.sleep(backoff.next(), "ended while the program's files were not kept");
            reply = send(link, files);
        }
        if (reply != CheckpointTransfer.DONE) {
            throw new IOException("The coordinator could not keep the program's files; its log says why");
        }
    }

    /** Returns the coordinator's reply. */
    private static byte send(CoordinatorConnection link, Map<String, Path> files) throws IOException {
        return link.transfer((in, out) -> {
            out.writeByte(OutputTransfer.PURPOSE);
            for (Map.Entry<String, Path> file : files.entrySet()) {
                try (InputStream content = Files.newInputStream(file.getValue())) {
                    OutputTransfer.write(out, file.getKey(), Files.size(file.getValue()), content);
                }
            }
            OutputTransfer.writeEnd(out);
            return in.readByte();
        });
    }

    /** The files that are sent, and why others are not. */
    record Choice(SortedMap<String, Path> files, List<String> warnings) {
        static Choice of(Path folder, Limits limits) throws IOException {
            SortedMap<String, Path> files = new TreeMap<>();
            List<String> refused = new ArrayList<>();
            List<String> beyond = new ArrayList<>();
            long bytes = 0;
            for (Path file : list(folder)) {
                String name = folder.relativize(file).toString();
                long size = Files.size(file);
                if (!OutputTransfer.isAllowed(name) || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    refused.add(name);
                } else if (files.size() == limits.files || bytes + size > limits.bytes) {
                    beyond.add(name + " (" + size + " bytes)");
                } else {
                    files.put(name, file);
                    bytes += size;
                }
            }
            return new Choice(files, warnings(refused, beyond, limits));
        }

        private static List<Path> list(Path folder) throws IOException {
            try (Stream<Path> all = Files.walk(folder)) {
                return all.filter(file -> !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
                        .sorted()
                        .toList();
            }
        }

        private static List<String> warnings(List<String> refused, List<String> beyond, Limits limits) {
            List<String> warnings = new ArrayList<>();
            if (!refused.isEmpty()) {
                warnings.add("The program's files " + quoted(refused) + " are not kept: a file needs a name of letters,"
                        + " digits and . _ = + @ - that begins with no dot, may not be a link, and may not be named"
                        + " model.bin, job.yaml or result.json");
            }
            if (!beyond.isEmpty()) {
                warnings.add("The program's files " + quoted(beyond) + " are not kept: a job keeps at most "
                        + limits.files + " files of " + limits.bytes
                        + " bytes together; write large data to the cluster's file system");
            }
            return warnings;
        }

        private static String quoted(List<String> names) {
            int shown = Math.min(5, names.size());
            return String.join(", ", names.subList(0, shown))
                    + (shown < names.size() ? " and " + (names.size() - shown) + " others" : "");
        }
    }
}
