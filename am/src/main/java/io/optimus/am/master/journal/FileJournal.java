package io.optimus.am.master.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.wire.Backoff;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A journal of JSON lines, {@code {"at": UNIX_MILLIS, "event": "loss", …}}, on a Hadoop file system. Lines are flushed at
 * least once a second, and sooner after {@link #hurry}, so that they survive the ApplicationMaster. Each attempt has its own
 * file, since not every file system can append. If the file system is too slow, lines are dropped so that training is not
 * delayed, and the last line counts them. If it fails, lines wait until it works again; those of the second before the
 * failure may be lost.
 */
public final class FileJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
    /** A busy job takes many seconds to write so many lines. */
    private static final int QUEUE = 10_000;

    private static final long FLUSH_MILLIS = 1_000;
    private static final long CLOSE_MILLIS = 10_000;

    private final ObjectMapper mapper = new ObjectMapper();
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(QUEUE);
    private final AtomicLong dropped = new AtomicLong();
    private final FileSystem fileSystem;
    private final Path file;
    private final LongSupplier unixMillis;
    private final Thread writer;
    private volatile boolean hurries;
    private volatile boolean closed;
    /** Whether the file was created; of the writing thread. */
    private boolean begun;

    /** Creates or replaces {@code file}, as soon as the file system lets it. */
    public FileJournal(FileSystem fileSystem, Path file, LongSupplier unixMillis) {
        this.fileSystem = flushable(fileSystem);
        this.file = file;
        this.unixMillis = unixMillis;
        this.writer = new Thread(this::write, "journal");
        writer.setDaemon(true);
        writer.start();
    }

    /** The file of an attempt, named after the first one's: {@code journal.jsonl}, {@code journal-2.jsonl}, … */
    public static Path ofAttempt(Path first, int attempt) {
        if (attempt == 1) {
            return first;
        }
        String name = first.getName();
        int dot = name.lastIndexOf('.');
        return new Path(first.getParent(), name.substring(0, dot) + "-" + attempt + name.substring(dot));
    }

    /** A local file system with checksums keeps whole blocks back; the one below it writes what is flushed. */
    private static FileSystem flushable(FileSystem fileSystem) {
        return fileSystem instanceof ChecksumFileSystem checksums ? checksums.getRawFileSystem() : fileSystem;
    }

    @Override
    public void note(String event, Map<String, ?> fields) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at", unixMillis.getAsLong());
        line.put("event", event);
        line.putAll(fields);
        try {
            if (closed || !lines.offer(mapper.writeValueAsString(line))) {
                dropped.incrementAndGet();
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The journal cannot hold these values: " + fields, e);
        }
    }

    @Override
    public void hurry() {
        hurries = true;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (dropped.get() > 0) {
            note("dropped", Map.of("lines", dropped.get()));
        }
        closed = true;
        try {
            writer.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() {
        Backoff backoff = Backoff.ofStore();
        try {
            while (!closed || !lines.isEmpty()) {
                try {
                    FSDataOutputStream out = open();
                    backoff.reset();
                    writeAndClose(out);
                } catch (UnsupportedOperationException e) {
                    LOG.warn("The journal cannot be continued on this file system; training goes on without it");
                    closed = true;
                    lines.clear();
                } catch (IOException | FSError e) {
                    long pause = TimeUnit.NANOSECONDS.toMillis(backoff.next());
                    LOG.warn("The journal cannot be written; trying again in {} ms: {}", pause, e.toString());
                    TimeUnit.MILLISECONDS.sleep(pause);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a failure, HDFS throws it again when the file is closed. */
    private void writeAndClose(FSDataOutputStream out) throws IOException, InterruptedException {
        try {
            writeTo(out);
        } catch (IOException | FSError | InterruptedException e) {
            IOUtils.closeStream(out);
            throw e;
        }
        out.close();
    }

    private FSDataOutputStream open() throws IOException {
        if (!begun) {
            FSDataOutputStream out = fileSystem.create(file, true);
            begun = true;
            return out;
        }
        FSDataOutputStream out = fileSystem.append(file);
        // The last line may have been cut short.
        out.write('\n');
        return out;
    }

    private void writeTo(FSDataOutputStream out) throws IOException, InterruptedException {
        long flushedAt = System.nanoTime();
        while (!closed || !lines.isEmpty()) {
            String line = lines.poll(FLUSH_MILLIS / 4, TimeUnit.MILLISECONDS);
            if (line != null) {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
            boolean due = System.nanoTime() - flushedAt > TimeUnit.MILLISECONDS.toNanos(FLUSH_MILLIS);
            if (due || (hurries && lines.isEmpty())) {
                hurries = false;
                out.hflush();
                flushedAt = System.nanoTime();
            }
        }
    }
}
