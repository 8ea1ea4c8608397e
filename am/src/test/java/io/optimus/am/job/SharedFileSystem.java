package io.optimus.am.job;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsAction;

/** A file system that is not the local one, with the paths of the local one: {@code shared:/data/x}. */
public final class SharedFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
        return URI.create("shared:///");
    }

    /** The local file system does not know the scheme here. */
    @Override
    public void access(Path path, FsAction mode) throws IOException {
        getFileStatus(path);
    }
}
