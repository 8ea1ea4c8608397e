package io.optimus.yarn;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/** Records what a logger, and those below it, log while this is open. */
abstract class RecordedLog extends AppenderSkeleton implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final List<String> events = new CopyOnWriteArrayList<>();

    /** Records {@code logger} from {@code level} on. */
    RecordedLog(Logger logger, Level level) {
        this.logger = logger;
        this.before = logger.getLevel();
        logger.setLevel(level);
        logger.addAppender(this);
    }

    /** The text of the events so far, without the time and the level at the start of each. */
    public final List<String> events() {
        return List.copyOf(events);
    }

    /** Records the text of an event, with its stack if it has one, as text files get it. */
    @Override
    protected final void append(LoggingEvent event) {
        String[] stack = event.getThrowableStrRep();
        events.add(event.getRenderedMessage() + (stack == null ? "" : "\n" + String.join("\n", stack)));
    }

    @Override
    public final boolean requiresLayout() {
        return false;
    }

    @Override
    public final void close() {
        // The finalizer of an appender closes it, too.
        if (closed) {
            return;
        }
        closed = true;
        logger.removeAppender(this);
        logger.setLevel(before);
    }
}
