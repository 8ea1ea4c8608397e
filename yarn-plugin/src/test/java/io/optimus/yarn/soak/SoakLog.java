package io.optimus.yarn.soak;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Counts what the scheduler logs at level INFO while it is open, and writes it to a file. */
final class SoakLog extends AppenderSkeleton implements AutoCloseable {
    private static final Logger OURS = Logger.getLogger("io.optimus");

    private final BufferedWriter file;
    private final Level before = OURS.getLevel();
    private long lines;
    private long bytes;
    private long warnings;

    SoakLog(Path path) throws IOException {
        file = Files.newBufferedWriter(path);
        OURS.setLevel(Level.INFO);
        OURS.setAdditivity(false);
        OURS.addAppender(this);
    }

    @Override
    protected void append(LoggingEvent event) {
        StringBuilder text = new StringBuilder()
                .append(Instant.now())
                .append(' ')
                .append(event.getLevel())
                .append(' ')
                .append(event.getLoggerName())
                .append(" - ")
                .append(event.getRenderedMessage())
                .append('\n');
        String[] trace = event.getThrowableStrRep();
        for (String line : trace == null ? new String[0] : trace) {
            text.append(line).append('\n');
        }
        lines++;
        bytes += text.length();
        warnings += event.getLevel().isGreaterOrEqual(Level.WARN) ? 1 : 0;
        try {
            file.write(text.toString());
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                file.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized long lines() {
        try {
            file.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    synchronized long bytes() {
        return bytes;
    }

    synchronized long warnings() {
        return warnings;
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    @Override
    public void close() {
        OURS.removeAppender(this);
        OURS.setAdditivity(true);
        OURS.setLevel(before);
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
