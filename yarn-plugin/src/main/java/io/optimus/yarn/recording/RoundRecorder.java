package io.optimus.yarn.recording;

import io.optimus.model.losses.LossPoint;
import io.optimus.yarn.configuration.RecordingSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records rounds and ends of jobs, where the settings name a folder. Callers never wait: they leave immutable copies to a
 * thread that writes. If that thread falls behind, or the folder cannot be written to, rounds are not recorded; a count, one
 * line in the log and {@link #problem} say so.
 *
 * <p>Thread-safe.
 */
public final class RoundRecorder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoundRecorder.class);

    /** Half an hour of rounds at the default interval; each holds a copy of the cluster in memory. */
    private static final int WAITING = 32;

    private static final long RETRY_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long JOIN_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private final Function<ApplicationId, List<LossPoint>> losses;
    private final LongSupplier wallClock;
    private final BlockingQueue<Item> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong unrecorded = new AtomicLong();
    private volatile Optional<String> problem = Optional.empty();
    private @Nullable Thread thread;
    private volatile Optional<RecordingSettings> lastSettings = Optional.empty();

    /** What waits to be written: an event with the settings that were in force, or the end of the thread. */
    private record Item(Optional<Recorded> event, RecordingSettings settings) {}

    private static final Item END = new Item(Optional.empty(), new RecordingSettings(Optional.empty(), 1));

    /**
     * A recorder that has not recorded anything.
     *
     * @param losses returns the points of a job's loss curve
     * @param wallClock milliseconds since 1970
     */
    public RoundRecorder(Function<ApplicationId, List<LossPoint>> losses, LongSupplier wallClock) {
        this.losses = losses;
        this.wallClock = wallClock;
    }

    /** Records a round, if its settings name a folder. */
    public void round(Recorded.Round round) {
        RecordingSettings settings = round.settings().recording();
        lastSettings = Optional.of(settings);
        take(new Item(Optional.of(round), settings));
    }

    /** Records the end of a job that a recorded round has named. */
    public void ended(Recorded.End end) {
        lastSettings.ifPresent(settings -> take(new Item(Optional.of(end), settings)));
    }

    /** No settings name a folder any more. What waits is written, and the recording ends; returns at once. */
    public synchronized void off() {
        if (thread != null && waiting.offer(END)) {
            thread = null;
            lastSettings = Optional.empty();
        }
    }

    private void take(Item item) {
        if (item.settings().folder().isEmpty()) {
            problem = Optional.empty();
            return;
        }
        start();
        if (!waiting.offer(item)) {
            unrecorded.incrementAndGet();
        }
    }

    private synchronized void start() {
        if (thread == null || !thread.isAlive()) {
            thread = new Thread(this::write, "optimus-recording");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Rounds and ends of jobs that were not recorded though they should have been. */
    public long unrecorded() {
        return unrecorded.get();
    }

    /** Why rounds are not recorded now, with the remedy; empty if they are, or should not be. */
    public Optional<String> problem() {
        return problem;
    }

    /** Writes what waits, for a few seconds at most, and ends the thread. */
    @Override
    public void close() {
        Thread ending;
        synchronized (this) {
            ending = thread;
            thread = null;
        }
        if (ending == null) {
            return;
        }
        try {
            boolean taken = waiting.offer(END, JOIN_MILLIS, TimeUnit.MILLISECONDS);
            if (taken) {
                ending.join(JOIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ending.interrupt();
        lastSettings = Optional.empty();
    }

    private void write() {
        Writing writing = new Writing();
        try {
            while (true) {
                Item item = waiting.take();
                if (item.event().isEmpty()) {
                    writing.stop();
                    problem = Optional.empty();
                    return;
                }
                writing.take(item.event().get(), item.settings());
            }
        } catch (InterruptedException e) {
            writing.close();
        }
    }

    /** The state of the thread that writes. */
    private final class Writing {
        private final RecordingLines lines = new RecordingLines(losses);
        private Optional<RecordingFiles> files = Optional.empty();
        private Optional<RecordingSettings> inForce = Optional.empty();
        private long lastName;
        private long lostBefore = unrecorded.get();
        private long retryMillis = Long.MIN_VALUE;

        void take(Recorded event, RecordingSettings settings) {
            if (!inForce.equals(Optional.of(settings))) {
                close();
                inForce = Optional.of(settings);
                retryMillis = Long.MIN_VALUE;
            }
            long now = wallClock.getAsLong();
            if (files.isEmpty() && event instanceof Recorded.End) {
                // A recording begins with a round, which names all jobs.
                return;
            }
            if (files.isEmpty() && now < retryMillis) {
                unrecorded.incrementAndGet();
                return;
            }
            try {
                append(event, settings);
                problem = Optional.empty();
            } catch (IOException | RuntimeException e) {
                unrecorded.incrementAndGet();
                failed(settings.folder().orElseThrow(), e);
                retryMillis = now + RETRY_MILLIS;
            }
        }

        private void append(Recorded event, RecordingSettings settings) throws IOException {
            if (files.isEmpty()
                    || (event instanceof Recorded.Round && files.get().isFull())) {
                files = Optional.of(
                        files.isPresent()
                                ? files.get().next(name(event))
                                : RecordingFiles.begin(settings.folder().orElseThrow(), settings.bytes(), name(event)));
                files.get().append(lines.begin(event.atMillis()));
            }
            long lost = unrecorded.get() - lostBefore;
            if (lost > 0) {
                files.get().append(lines.lost(event.atMillis(), lost));
                lostBefore += lost;
            }
            Optional<String> line = lines.of(event);
            if (line.isPresent()) {
                files.get().append(line.get());
            }
        }

        /** A time that no other file of this scheduler has. */
        private long name(Recorded event) {
            lastName = Math.max(event.atMillis(), lastName + 1);
            return lastName;
        }

        private void failed(Path folder, Exception e) {
            if (problem.isEmpty()) {
                LOG.warn("rounds are not recorded, nothing else is affected folder={}", folder, e);
            }
            problem = Optional.of("rounds are not recorded: " + folder + " cannot be written to ("
                    + e.getClass().getSimpleName()
                    + (e.getMessage() == null ? "" : ": " + e.getMessage())
                    + "). Remedy: free space there or let the ResourceManager's user write there, or name another folder in"
                    + " yarn.scheduler.optimus.recording-folder");
            close();
        }

        void stop() {
            files.ifPresent(open -> {
                try {
                    open.append(lines.stop(wallClock.getAsLong()));
                } catch (IOException e) {
                    LOG.warn("the end of a recording was not written", e);
                }
            });
            close();
        }

        void close() {
            files.ifPresent(open -> {
                try {
                    open.close();
                } catch (IOException e) {
                    LOG.warn("a file of a recording was not closed", e);
                }
            });
            files = Optional.empty();
        }
    }
}
