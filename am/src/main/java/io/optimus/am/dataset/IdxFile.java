package io.optimus.am.dataset;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * One file of MNIST's IDX format. It holds two zero bytes, the type of a value (8 for an unsigned byte), the number of
 * dimensions, each dimension as a big-endian integer, and the values.
 */
final class IdxFile {
    private static final int UNSIGNED_BYTE = 0x08;
    /** A larger number is probably a damaged header: EMNIST, the largest set of the family, has 814,255 samples. */
    private static final int MAX_SAMPLES = 10_000_000;
    /** A larger image is probably a damaged header. */
    private static final int MAX_SIDE = 1024;

    private final Path path;
    private final int dimensions;
    private final Header header;

    /** The numbers of a header: {@code count} samples of {@code height} by {@code width} values; labels are 1 by 1. */
    record Header(int count, int height, int width) {
        long bytes() {
            return (long) count * height * width;
        }
    }

    private IdxFile(Path path, int dimensions) throws IOException {
        this.path = path;
        this.dimensions = dimensions;
        try (DataInputStream in = open()) {
            header = readHeader(in);
        } catch (EOFException e) {
            throw new IOException(path + " is shorter than a header: copy it again", e);
        }
    }

    /** Finds {@code name} or {@code name.gz} in {@code folder}, and checks its header. */
    static IdxFile find(Path folder, String name, int dimensions) throws IOException {
        for (String suffix : new String[] {"", ".gz"}) {
            Path path = folder.resolve(name + suffix);
            if (Files.isRegularFile(path)) {
                return new IdxFile(path, dimensions);
            }
        }
        throw new IOException(folder.resolve(name) + "[.gz] is missing: put the file there, or name another folder");
    }

    Path path() {
        return path;
    }

    Header header() {
        return header;
    }

    /** Checks the length, if that needs no decompression. */
    void check() throws IOException {
        long expected = headerBytes() + header.bytes();
        if (!compressed() && Files.size(path) != expected) {
            throw new IOException(path + " is " + Files.size(path) + " bytes long instead of " + expected
                    + ", as its header says: copy it again");
        }
    }

    byte[] read() throws IOException {
        check();
        byte[] values = new byte[Math.toIntExact(header.bytes())];
        try (DataInputStream in = open()) {
            in.skipNBytes(headerBytes());
            in.readFully(values);
            if (in.read() >= 0) {
                throw new IOException(path + " is longer than its header says: copy it again");
            }
        } catch (EOFException e) {
            throw new IOException(path + " is shorter than its header says: copy it again", e);
        }
        return values;
    }

    private Header readHeader(DataInputStream in) throws IOException {
        int magic = in.readInt();
        int expected = UNSIGNED_BYTE << 8 | dimensions;
        if (magic != expected) {
            throw new IOException(String.format(
                    "%s starts with 0x%08x instead of 0x%08x: it is not %s in MNIST's format",
                    path, magic, expected, dimensions == 1 ? "a file of labels" : "a file of images"));
        }
        int count = in.readInt();
        Header read = dimensions == 1 ? new Header(count, 1, 1) : new Header(count, in.readInt(), in.readInt());
        if (outside(read.count, MAX_SAMPLES)
                || outside(read.height, MAX_SIDE)
                || outside(read.width, MAX_SIDE)
                || read.bytes() > Integer.MAX_VALUE - 8) {
            throw new IOException(path + " claims " + read.count + " samples of " + read.height + " by " + read.width
                    + ", which no set in this format has: copy it again");
        }
        return read;
    }

    private static boolean outside(int value, int most) {
        return value < 1 || value > most;
    }

    private DataInputStream open() throws IOException {
        BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
        try {
            return new DataInputStream(compressed() ? new BufferedInputStream(new GZIPInputStream(raw), 1 << 16) : raw);
        } catch (IOException e) {
            raw.close();
            throw new IOException(path + " is named .gz but is not compressed: rename or compress it", e);
        }
    }

    private boolean compressed() {
        return path.toString().endsWith(".gz");
    }

    private int headerBytes() {
        return Integer.BYTES * (1 + dimensions);
    }
}
