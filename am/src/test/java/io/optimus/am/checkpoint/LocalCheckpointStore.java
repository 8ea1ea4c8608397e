package io.optimus.am.checkpoint;

import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@link CheckpointStore} in a local folder, which is created if it is missing. */
public final class LocalCheckpointStore implements CheckpointStore {
    /** The ending of files that are being written, which are never listed. */
    private static final String DRAFT = ".draft";

    private final Path folder;

    /** Keeps files in {@code folder}. */
    public LocalCheckpointStore(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    @Override
    public Draft create(String name) throws IOException {
        return new LocalDraft(file(name), folder.resolve(name + DRAFT));
    }

    @Override
    public Draft createOutput(String name) throws IOException {
        Path file = output(name);
        Files.createDirectories(file.resolveSibling(""));
        return new LocalDraft(file, file.resolveSibling(file.getFileName() + DRAFT));
    }

    /** Where a file that a program left is. */
    public Path output(String name) {
        return folder.resolveSibling("output").resolve(name);
    }

    @Override
    public Input open(String name) throws IOException {
        try {
            return new LocalInput(FileChannel.open(file(name)));
        } catch (NoSuchFileException e) {
            FileNotFoundException notFound = new FileNotFoundException("No file '" + name + "' in " + folder);
            notFound.initCause(e);
            throw notFound;
        }
    }

    @Override
    public SortedSet<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(DRAFT))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(file(name));
    }

    private Path file(String name) {
        if (!name.matches("[A-Za-z0-9.-]+") || name.startsWith(".") || name.endsWith(DRAFT)) {
            throw new IllegalArgumentException("A file's name is letters, digits, dots and dashes, got '" + name + "'");
        }
        return folder.resolve(name);
    }

    private record LocalInput(FileChannel file) implements Input {
        @Override
        public long length() throws IOException {
            return file.size();
        }

        @Override
        public void seek(long position) throws IOException {
            file.position(position);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return file.read(ByteBuffer.wrap(bytes, offset, length));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static final class LocalDraft implements Draft {
        private final Path file;
        private final Path draft;
        private final FileOutputStream stream;
        private final OutputStream out;

        LocalDraft(Path file, Path draft) throws IOException {
            this.file = file;
            this.draft = draft;
            this.stream = new FileOutputStream(draft.toFile());
            this.out = new BufferedOutputStream(stream, 1 << 16);
        }

        @Override
        public OutputStream out() {
            return out;
        }

        @Override
        public void commit() throws IOException {
            out.flush();
            stream.getFD().sync();
            out.close();
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }

        @Override
        public void close() throws IOException {
            stream.close();
            Files.deleteIfExists(draft);
        }
    }
}
