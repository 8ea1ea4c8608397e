package io.optimus.yarn;

import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/** Everything that this process logs while it is open, Hadoop's own lines included, from level INFO on. */
public final class WholeLog extends RecordedLog {
    public WholeLog() {
        super(Logger.getRootLogger(), Level.INFO);
    }

    /** The number of characters so far. */
    public long length() {
        return events().stream().mapToLong(String::length).sum();
    }
}
