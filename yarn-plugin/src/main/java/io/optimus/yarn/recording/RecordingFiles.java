package io.optimus.yarn.recording;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * The files of a recording in one folder. Lines are appended to the last file. A file that is full is compressed, and the
 * oldest files are deleted, so that all together stay within a bound. The files hold names of users and jobs: their owner may
 * write, and its group may read them.
 *
 * <p>Not thread-safe.
 */
final class RecordingFiles implements AutoCloseable {
    /** With so many files, the oldest lines that are deleted at a time are a small part of the recording. */
    private static final int FILES = 16;

    private static final Pattern NAME = Pattern.compile("rounds-[0-9]{8}T[0-9]{9}Z\\.jsonl(\\.gz)?");
    private static final DateTimeFormatter NAME_TIME = DateTimeFormatter.ofPattern(
                    "'rounds-'yyyyMMdd'T'HHmmssSSS'Z.jsonl'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-r-----");
    private static final Set<PosixFilePermission> FOLDER_PERMISSIONS = PosixFilePermissions.fromString("rwxr-x---");

    private final Path folder;
    private final long mostBytes;
    private final Path file;
    private final OutputStream out;
    private long bytes;

    private RecordingFiles(Path folder, long mostBytes, Path file, OutputStream out) {
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.file = file;
        this.out = out;
    }

    /**
     * Begins a new file.
     *
     * @param folder created if it does not exist
     * @param mostBytes the most that all files take in sum, above 0
     * @param atMillis time in milliseconds since 1970, which names the file; no other file may have it
     */
    static RecordingFiles begin(Path folder, long mostBytes, long atMillis) throws IOException {
        Files.createDirectories(folder, attributes(FOLDER_PERMISSIONS));
        Path file = folder.resolve(NAME_TIME.format(Instant.ofEpochMilli(atMillis)));
        return new RecordingFiles(folder, mostBytes, file, create(file));
    }

    private static OutputStream create(Path file) throws IOException {
        Files.createFile(file, attributes(FILE_PERMISSIONS));
        return Files.newOutputStream(file, StandardOpenOption.WRITE);
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Whether further lines belong into a new file. */
    boolean isFull() {
        return bytes > mostBytes / FILES;
    }

    /** Appends a line, and deletes the oldest files that leave no room for it. */
    void append(String line) throws IOException {
        byte[] written = (line + "\n").getBytes(StandardCharsets.UTF_8);
        prune(mostBytes - bytes - written.length);
        out.write(written);
        bytes += written.length;
    }

    /** Ends this file, compresses it and begins another one. */
    RecordingFiles next(long atMillis) throws IOException {
        close();
        compress();
        return begin(folder, mostBytes, atMillis);
    }

    private void compress() throws IOException {
        Path part = folder.resolve("." + file.getFileName() + ".gz.part");
        Files.deleteIfExists(part);
        try (InputStream in = Files.newInputStream(file);
                OutputStream compressed = new GZIPOutputStream(create(part))) {
            in.transferTo(compressed);
        } catch (IOException e) {
            Files.deleteIfExists(part);
            throw e;
        }
        Files.move(part, folder.resolve(file.getFileName() + ".gz"));
        Files.delete(file);
    }

    /** Deletes the oldest of the other files until they take no more than {@code most} bytes. */
    private void prune(long most) throws IOException {
        List<Path> others = others();
        long sum = 0;
        for (Path other : others) {
            sum += Files.size(other);
        }
        for (Path oldest : others) {
            if (sum <= most) {
                return;
            }
            sum -= Files.size(oldest);
            Files.delete(oldest);
        }
    }

    private List<Path> others() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(
                            path -> NAME.matcher(path.getFileName().toString()).matches() && !path.equals(file))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
