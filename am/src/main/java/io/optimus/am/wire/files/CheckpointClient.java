package io.optimus.am.wire.files;

import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.files.CheckpointTransfer.Sink;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task's end of {@link CheckpointTransfer}. */
public final class CheckpointClient {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointClient.class);

    /** A file that is slower than a network of 10 Mb/s is left to the coordinator, after these first seconds. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private static final long NANOS_PER_FLOAT = 3_200;

    private CheckpointClient() {}

    /** Writes the parameters and the state of one part. */
    @FunctionalInterface
    public interface Source {
        /** Puts (1 + slots) · length floats of {@code range}. */
        void write(Range range, FloatBuffer out);
    }

    /**
     * Saves {@code ranges} as a part of the checkpoint before {@code step}.
     *
     * @return false if the coordinator's store failed; the coordinator has dealt with that
     */
    public static boolean save(
            CoordinatorConnection link, MembershipNumber number, long step, int slots, Ranges ranges, Source source)
            throws IOException {
        byte reply = link.transfer((in, out) -> {
            out.writeByte(CheckpointTransfer.SAVE);
            out.writeInt(number.attempt());
            out.writeInt(number.number());
            out.writeLong(step);
            out.writeInt(slots);
            ByteBuffer buffer = CheckpointTransfer.buffer(slots);
            for (Range range : ranges.list()) {
                for (Range part : range.parts(CheckpointTransfer.PART_FLOATS)) {
                    buffer.clear().limit((1 + slots) * part.length() * Float.BYTES);
                    source.write(part, buffer.asFloatBuffer());
                    CheckpointTransfer.writePart(out, part, buffer);
                }
            }
            CheckpointTransfer.writeEnd(out);
            return in.readByte();
        });
        if (reply != CheckpointTransfer.DONE && reply != CheckpointTransfer.STORE_FAILED) {
            throw new IOException("The coordinator answered a saved shard with " + reply);
        }
        return reply == CheckpointTransfer.DONE;
    }

    /**
     * Loads the {@code wanted} ranges of a checkpoint, part by part: from its file, as far as this task can read that, and the
     * rest from the coordinator.
     */
    public static void load(CoordinatorConnection link, String checkpoint, Ranges wanted, Sink sink)
            throws IOException {
        StoredParts stored = ask(link, CheckpointTransfer.WHERE, checkpoint, wanted, StoredParts::read);
        Ranges rest = stored.addresses().isEmpty() ? wanted : read(stored, wanted, sink);
        if (!rest.isEmpty()) {
            ask(link, CheckpointTransfer.LOAD, checkpoint, rest, in -> {
                CheckpointTransfer.readParts(in, in.readInt(), sink);
                return rest;
            });
        }
    }

    private interface Answer<T> {
        T read(DataInputStream in) throws IOException;
    }

    private static <T> T ask(
            CoordinatorConnection link, byte purpose, String checkpoint, Ranges wanted, Answer<T> answer)
            throws IOException {
        Optional<T> reply = link.transfer((in, out) -> {
            out.writeByte(purpose);
            out.writeUTF(checkpoint);
            CheckpointTransfer.writeRanges(out, wanted);
            out.flush();
            return in.readByte() == CheckpointTransfer.DONE ? Optional.of(answer.read(in)) : Optional.empty();
        });
        return reply.orElseThrow(
                () -> new IOException("The coordinator could not load the checkpoint; its log says why"));
    }

    /**
     * Reads parts from their file.
     *
     * @return the ranges that could not be read
     * @throws IOException the sink's
     */
    private static Ranges read(StoredParts stored, Ranges wanted, Sink sink) throws IOException {
        Sink marked = (part, slots) -> {
            try {
                sink.accept(part, slots);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        ByteBuffer buffer = CheckpointTransfer.buffer(stored.slots());
        List<StoredPart> parts = stored.parts();
        int done = 0;
        long deadline = System.nanoTime() + LONGEST_NANOS + NANOS_PER_FLOAT * wanted.floats() * (1 + stored.slots());
        for (URI address : stored.addresses()) {
            try (StoredFile file = StoredFile.open(address, parts.subList(done, parts.size()), stored.slots())) {
                for (; done < parts.size(); done++) {
                    if (System.nanoTime() > deadline) {
                        throw new IOException("it takes too long");
                    }
                    parts.get(done).read(file, stored.slots(), buffer, wanted, marked);
                }
                LOG.info("read checkpoint={} floats={}", address, wanted.floats());
                return Ranges.NONE;
            } catch (UncheckedIOException e) {
                throw e.getCause();
            } catch (IOException | RuntimeException e) {
                LOG.info("cannot read checkpoint={} parts={} cause={}", address, parts.size() - done, e.toString());
            }
        }
        List<Range> left = parts.subList(done, parts.size()).stream()
                .map(StoredPart::range)
                .toList();
        return Ranges.of(left).and(wanted);
    }
}
