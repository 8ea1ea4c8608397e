package io.optimus.am.master.journal;

import io.optimus.am.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class FileJournalTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Rule
    public final Timeout timeout = new Timeout(1, TimeUnit.MINUTES);

    @Test
    public void anEventIsInALocalFileSoonWithoutAClose() throws Exception {
        File file = new File(folder.getRoot(), "journal.jsonl");
        FileSystem local = FileSystem.getLocal(new Configuration(false));
        try (Journal journal = new FileJournal(local, new Path(file.toURI()), () -> 7)) {
            journal.note("loss", Map.of("step", 3));
            Await.until("the event is in the file", () -> contents(file)
                    .equals("{\"at\":7,\"event\":\"loss\",\"step\":3}\n"));
        }
    }

    @Test
    public void eventsWaitForAFileSystemThatFails() throws Exception {
        File file = new File(folder.getRoot(), "journal.jsonl");
        FailingFileSystem failing = new FailingFileSystem();
        failing.initialize(file.toURI(), new Configuration(false));
        failing.fails = true;
        try (Journal journal = new FileJournal(failing, new Path(file.toURI()), () -> 7)) {
            journal.note("loss", Map.of("step", 3));
            Await.until("the file was refused", () -> failing.failures.get() > 0);
            failing.fails = false;
            Await.until("the event is in the file", () -> contents(file).contains("\"step\":3}\n"));

            failing.fails = true;
            journal.note("loss", Map.of("step", 4));
            int before = failing.failures.get();
            Await.until("the file cannot be continued", () -> failing.failures.get() > before + 1);
            journal.note("loss", Map.of("step", 5));
            failing.fails = false;
            Await.until("the next event is in the file", () -> contents(file).endsWith("\"step\":5}\n"));
        }
    }

    /** Refuses and breaks off writing while it fails; a file that broke off fails again when it is closed, as in HDFS. */
    private static final class FailingFileSystem extends RawLocalFileSystem {
        final AtomicInteger failures = new AtomicInteger();
        volatile boolean fails;

        private void check() throws IOException {
            if (fails) {
                failures.incrementAndGet();
                throw new IOException("the file system is gone");
            }
        }

        @Override
        public FSDataOutputStream create(Path path, boolean overwrite) throws IOException {
            check();
            return breaking(super.create(path, overwrite));
        }

        @Override
        public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) throws IOException {
            check();
            return breaking(super.append(path, bufferSize, progress));
        }

        private FSDataOutputStream breaking(FSDataOutputStream whole) throws IOException {
            return new FSDataOutputStream(whole, null) {
                private @Nullable IOException broken;

                @Override
                public void hflush() throws IOException {
                    try {
                        check();
                    } catch (IOException e) {
                        broken = e;
                        throw e;
                    }
                    whole.hflush();
                }

                @Override
                public void close() throws IOException {
                    super.close();
                    if (broken != null) {
                        throw broken;
                    }
                }
            };
        }
    }

    private static String contents(File file) {
        try {
            return file.exists() ? Files.readString(file.toPath()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
