package io.optimus.yarn;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Records the ResourceManager's audit log while it is open. */
public final class AuditLog extends AppenderSkeleton implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(RMAuditLogger.class);

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Level before = LOGGER.getLevel();

    public AuditLog() {
        LOGGER.setLevel(Level.ALL);
        LOGGER.addAppender(this);
    }

    /** The lines so far that contain {@code text}. */
    public List<String> lines(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    protected void append(LoggingEvent event) {
        lines.add(event.getRenderedMessage());
    }

    @Override
    public boolean requiresLayout() {
        return false;
    }

    @Override
    public void close() {
        // The finalizer of an appender closes it, too.
        if (closed) {
            return;
        }
        closed = true;
        LOGGER.removeAppender(this);
        LOGGER.setLevel(before);
    }
}
