package io.optimus.am.master;

import io.optimus.am.checkpoint.CheckpointStore;
import io.optimus.am.checkpoint.CheckpointStore.Draft;
import io.optimus.am.wire.files.OutputTransfer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpoints and models in a folder of a Hadoop file system. A file is written under a hidden name and replaces the old
 * one by a rename once it is complete.
 */
public final class HadoopCheckpointStore implements CheckpointStore {
    private static final Logger LOG = LoggerFactory.getLogger(HadoopCheckpointStore.class);

    /** The folder of the files that an owner's program left. */
    static final String OUTPUT = "output";

    /** Files that are being written begin with it. */
    static final String HIDDEN = "_writing.";

    private final FileSystem fileSystem;
    private final FileContext context;
    private final Path folder;

    /**
     * Makes {@code folder} if it is missing, and deletes incomplete files of earlier attempts, unless the file system is
     * read-only now.
     */
    public HadoopCheckpointStore(FileSystem fileSystem, Path folder) throws IOException {
        this.fileSystem = fileSystem;
        this.folder = fileSystem.makeQualified(folder);
        this.context = FileContext.getFileContext(this.folder.toUri(), fileSystem.getConf());
        if (!fileSystem.exists(this.folder)) {
            fileSystem.mkdirs(this.folder);
        }
        for (FileStatus file : fileSystem.listStatus(this.folder)) {
            if (file.getPath().getName().startsWith(HIDDEN)) {
                deleteIncomplete(file.getPath());
            }
        }
    }

    private void deleteIncomplete(Path file) {
        try {
            fileSystem.delete(file, false);
        } catch (IOException e) {
            LOG.warn("An incomplete file of an earlier attempt is not deleted: {}", e.toString());
        }
    }

    @Override
    public Draft create(String name) throws IOException {
        Path hidden = new Path(folder, HIDDEN + name);
        return new HadoopDraft(hidden, path(name), FileErrors.asExceptions(fileSystem.create(hidden, true)));
    }

    @Override
    public Draft createOutput(String name) throws IOException {
        if (!OutputTransfer.isAllowed(name)) {
            throw new IllegalArgumentException("A program's file cannot have the name '" + name + "'");
        }
        Path file = new Path(new Path(folder, OUTPUT), name);
        Path hidden = new Path(file.getParent(), HIDDEN + file.getName());
        return new HadoopDraft(hidden, file, FileErrors.asExceptions(fileSystem.create(hidden, true)));
    }

    @Override
    public Input open(String name) throws IOException {
        Path file = path(name);
        long length = fileSystem.getFileStatus(file).getLen();
        return FileErrors.asExceptions(fileSystem.open(file), length);
    }

    @Override
    public List<URI> addresses(String name) {
        return TaskReadableFile.addresses(fileSystem, path(name));
    }

    @Override
    public SortedSet<String> names() throws IOException {
        SortedSet<String> names = new TreeSet<>();
        try {
            for (FileStatus file : fileSystem.listStatus(folder)) {
                String name = file.getPath().getName();
                if (file.isFile() && !name.startsWith(HIDDEN)) {
                    names.add(name);
                }
            }
        } catch (FileNotFoundException gone) {
            throw new FileNotFoundException("The checkpoint folder has disappeared: " + folder);
        }
        return names;
    }

    @Override
    public void delete(String name) throws IOException {
        fileSystem.delete(path(name), false);
    }

    private Path path(String name) {
        if (!name.matches("[A-Za-z0-9.-]+") || name.startsWith(".")) {
            throw new IllegalArgumentException(
                    "Names must consist of letters, digits, dots and dashes; got '" + name + "'");
        }
        return new Path(folder, name);
    }

    private final class HadoopDraft implements Draft {
        private final Path hidden;
        private final Path file;
        private final OutputStream out;
        private boolean ended;

        HadoopDraft(Path hidden, Path file, OutputStream out) {
            this.hidden = hidden;
            this.file = file;
            this.out = out;
        }

        @Override
        public OutputStream out() {
            return out;
        }

        @Override
        public void commit() throws IOException {
            if (ended) {
                throw new IOException(file + " was already committed or discarded");
            }
            out.close();
            // FileSystem.rename does not replace. FileContext.rename does, atomically if the file system can.
            context.rename(hidden, file, Rename.OVERWRITE);
            ended = true;
        }

        @Override
        public void close() throws IOException {
            if (ended) {
                return;
            }
            ended = true;
            try {
                out.close();
            } finally {
                fileSystem.delete(hidden, false);
            }
        }
    }
}
