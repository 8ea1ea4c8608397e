package io.optimus.yarn.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class RecordingFilesTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path recording() {
        return folder.getRoot().toPath().resolve("a").resolve("rounds");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(recording())) {
            return all.sorted().toList();
        }
    }

    private static String line(int number) {
        // Digits that hardly compress.
        StringBuilder text = new StringBuilder("{\"n\":" + number + ",\"x\":\"");
        Random random = new Random(number);
        for (int i = 0; i < 90; i++) {
            text.append((char) ('0' + random.nextInt(75)));
        }
        return text.toString().replace("\\", "/") + "\"}";
    }

    @Test
    public void keepsWithinItsBoundAndDropsTheOldestLines() throws IOException {
        long most = 16_000;
        RecordingFiles files = RecordingFiles.begin(recording(), most, 0);
        int lines = 1000;
        for (int i = 0; i < lines; i++) {
            if (files.isFull()) {
                files = files.next(i);
            }
            files.append(line(i));
            long sum = 0;
            for (Path file : files()) {
                sum += Files.size(file);
            }
            assertThat(sum).isLessThanOrEqualTo(most);
        }
        files.close();

        List<Path> left = files();
        assertThat(left).hasSizeGreaterThan(5);
        assertThat(left.get(left.size() - 1).toString()).endsWith(".jsonl");
        assertThat(Files.readString(left.get(left.size() - 1))).endsWith(line(lines - 1) + "\n");
        assertThat(left.get(0).toString()).endsWith(".jsonl.gz");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(left.get(0))), StandardCharsets.UTF_8))) {
            assertThat(reader.readLine()).startsWith("{\"n\":").isNotEqualTo(line(0));
        }
    }

    @Test
    public void letsOnlyOwnerAndGroupRead() throws IOException {
        try (RecordingFiles files = RecordingFiles.begin(recording(), 16_000, 0)) {
            files.append("{}");
            files.next(5).close();
        }

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(recording())))
                .isEqualTo("rwxr-x---");
        assertThat(files()).hasSize(2);
        for (Path file : files()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-r-----");
        }
    }

    @Test
    public void leavesFilesAloneThatItDidNotWrite() throws IOException {
        Files.createDirectories(recording());
        Files.writeString(recording().resolve("notes.txt"), "x".repeat(20_000));
        try (RecordingFiles files = RecordingFiles.begin(recording(), 16_000, 0)) {
            files.append(line(1));
        }

        assertThat(recording().resolve("notes.txt")).exists();
    }

    @Test
    public void neverWritesIntoAFileOfAnother() throws IOException {
        RecordingFiles.begin(recording(), 16_000, 7).close();

        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> RecordingFiles.begin(recording(), 16_000, 7));
    }
}
