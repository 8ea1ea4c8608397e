package io.optimus.am.master.journal;

import io.optimus.am.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
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

    private static String contents(File file) {
        try {
            return Files.readString(file.toPath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
