package io.optimus.yarn;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Records everything that this process logs while it is open, Hadoop's own lines included, as text files get it: from level INFO
 * on, with stacks.
 */
public final class WholeLog extends AppenderSkeleton implements AutoCloseable {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final Level before = Logger.getRootLogger().getLevel();

    public WholeLog() {
        Logger.getRootLogger().setLevel(Level.INFO);
        Logger.getRootLogger().addAppender(this);
    }

    /** The text of the events so far, without the time and the level at the start of each. */
    public List<String> events() {
        return List.copyOf(events);
    }

    /** The number of characters so far. */
    public long length() {
        return events.stream().mapToLong(String::length).sum();
    }

    @Override
    protected void append(LoggingEvent event) {
        String[] stack = event.getThrowableStrRep();
        events.add(event.getRenderedMessage() + (stack == null ? "" : "\n" + String.join("\n", stack)));
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
        Logger.getRootLogger().removeAppender(this);
        Logger.getRootLogger().setLevel(before);
    }
}
