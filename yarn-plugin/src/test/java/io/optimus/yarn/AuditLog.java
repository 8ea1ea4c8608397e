package io.optimus.yarn;

import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/** The ResourceManager's audit log while this is open. */
public final class AuditLog extends RecordedLog {
    public AuditLog() {
        super(Logger.getLogger(RMAuditLogger.class), Level.ALL);
    }

    /** The lines so far that contain {@code text}. */
    public List<String> lines(String text) {
        return events().stream().filter(line -> line.contains(text)).toList();
    }
}
