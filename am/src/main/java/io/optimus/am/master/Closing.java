package io.optimus.am.master;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was begun, last first; one that fails does not keep the others from closing. */
final class Closing implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> begun = new ArrayDeque<>();

    <T extends AutoCloseable> T with(T part) {
        begun.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!begun.isEmpty()) {
            AutoCloseable part = begun.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close: {}", part.getClass().getSimpleName(), e.toString());
            }
        }
    }
}
