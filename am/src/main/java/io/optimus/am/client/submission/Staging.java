package io.optimus.am.client.submission;

import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.job.WorkerFile;
import io.optimus.am.wire.JobSecret;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;

/** One user's folder on the cluster's file system, with the files of jobs and the archives that they share. */
public final class Staging {
    private static final FsPermission OWNER_FOLDER = new FsPermission((short) 0700);
    private static final FsPermission OWNER_FILE = new FsPermission((short) 0600);

    private final FileSystem fileSystem;
    private final Path userFolder;

    private Staging(FileSystem fileSystem, Path userFolder) {
        this.fileSystem = fileSystem;
        this.userFolder = userFolder;
    }

    /** The folder of the current user. */
    public static Staging of(Configuration configuration) throws IOException {
        return of(configuration, UserGroupInformation.getCurrentUser().getShortUserName());
    }

    /** The folder of {@code user}; the file system may refuse access to it. */
    public static Staging of(Configuration configuration, String user) throws IOException {
        Optional<String> shared = ClientKeys.STAGING_DIRECTORY.in(configuration);
        if (shared.isEmpty()) {
            FileSystem fileSystem = FileSystem.get(configuration);
            Path own = fileSystem.getHomeDirectory();
            boolean ours = user.equals(UserGroupInformation.getCurrentUser().getShortUserName());
            Path home = ours ? own : new Path(own.getParent(), user);
            return new Staging(fileSystem, fileSystem.makeQualified(new Path(home, ".optimus")));
        }
        Path folder = new Path(shared.get());
        FileSystem fileSystem = folder.getFileSystem(configuration);
        return new Staging(fileSystem, fileSystem.makeQualified(new Path(folder, user)));
    }

    FileSystem fileSystem() {
        return fileSystem;
    }

    public JobDirectory directory(String applicationId) {
        return JobDirectory.of(userFolder, applicationId);
    }

    /** The directory of an earlier job, named by its application id or by the directory. */
    JobDirectory earlier(String job) {
        return JobDirectory.named(userFolder, job);
    }

    /** Makes a job's directory with all its files; it is deleted when this process ends, unless {@link #keep} is called. */
    JobDirectory create(String applicationId, JobFile job, java.nio.file.Path jar) throws IOException {
        JobDirectory directory = directory(applicationId);
        folder(directory.root());
        fileSystem.deleteOnExit(directory.root());
        folder(directory.work());
        copy(jar, directory.jar());
        for (WorkerFile file : job.uploads()) {
            folder(directory.workerFiles());
            copy(file.local(job.folder()), directory.workerFile(file));
        }
        write(directory.job(), JobSpecJson.write(job.spec()));
        write(directory.secret(), JobSecret.random().text().getBytes(StandardCharsets.US_ASCII));
        return directory;
    }

    /** Keeps the directory when this process ends: YARN has accepted the job. */
    void keep(JobDirectory directory) {
        fileSystem.cancelDeleteOnExit(directory.root());
    }

    /** Removes a job's directory, if there is one. */
    void remove(JobDirectory directory) throws IOException {
        fileSystem.cancelDeleteOnExit(directory.root());
        fileSystem.delete(directory.root(), true);
    }

    /** Removes the files that only a running job needs; its journal and its checkpoints stay. */
    public void removeTemporary(JobDirectory directory) throws IOException {
        fileSystem.delete(directory.secret(), false);
        fileSystem.delete(directory.jar(), false);
        fileSystem.delete(directory.workerFiles(), true);
    }

    /**
     * The archive in the user's cache; it is copied there once for all jobs, under another name until it is complete.
     *
     * @param file a file named after its version, so that another version has another name
     */
    Path cached(java.nio.file.Path file) throws IOException {
        Path cache = JobDirectory.cache(userFolder);
        Path target = new Path(cache, String.valueOf(file.getFileName()));
        if (has(target, java.nio.file.Files.size(file))) {
            return target;
        }
        folder(cache);
        Path part = new Path(cache, "." + file.getFileName() + "." + UUID.randomUUID());
        try {
            // Written as a stream: a local copy over an existing file keeps the checksums of the old one.
            try (OutputStream out = fileSystem.create(part, true)) {
                fileSystem.deleteOnExit(part);
                java.nio.file.Files.copy(file, out);
            }
            fileSystem.setPermission(part, OWNER_FILE);
            if (!fileSystem.rename(part, target) && !has(target, java.nio.file.Files.size(file))) {
                throw new IOException(target + " exists already, with another length than " + file
                        + ": remove it, then submit again");
            }
        } finally {
            fileSystem.delete(part, false);
            fileSystem.cancelDeleteOnExit(part);
        }
        return target;
    }

    private boolean has(Path path, long bytes) throws IOException {
        try {
            FileStatus status = fileSystem.getFileStatus(path);
            return status.getLen() == bytes;
        } catch (FileNotFoundException absent) {
            return false;
        }
    }

    /** Makes a folder; the permission is set again because {@code mkdirs} applies the umask. */
    private void folder(Path path) throws IOException {
        if (!fileSystem.mkdirs(path, OWNER_FOLDER)) {
            throw new IOException("Cannot make the folder " + path + ": is there a file of that name?");
        }
        fileSystem.setPermission(path, OWNER_FOLDER);
    }

    private void copy(java.nio.file.Path file, Path target) throws IOException {
        fileSystem.copyFromLocalFile(false, true, new Path(file.toUri()), target);
        fileSystem.setPermission(target, OWNER_FILE);
    }

    private void write(Path path, byte[] bytes) throws IOException {
        try (OutputStream file = FileSystem.create(fileSystem, path, OWNER_FILE)) {
            file.write(bytes);
        }
    }
}
