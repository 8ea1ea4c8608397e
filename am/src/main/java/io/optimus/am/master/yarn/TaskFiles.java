package io.optimus.am.master.yarn;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.WorkerFile;
import io.optimus.model.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** The files that YARN copies to a task's node, and the tokens to read them with. */
public final class TaskFiles {
    private final Map<String, LocalResource> server;
    private final Map<String, LocalResource> worker;
    private final byte[] tokens;

    private TaskFiles(Map<String, LocalResource> server, Map<String, LocalResource> worker, byte[] tokens) {
        this.server = server;
        this.worker = worker;
        this.tokens = tokens;
    }

    /**
     * Looks up the files' sizes and times, which YARN checks.
     *
     * @param owned files of the job's owner, for workers
     * @param nativesArchive archive of PyTorch's native libraries, for workers
     * @param credentials credentials of the ApplicationMaster
     */
    public static TaskFiles of(
            Configuration configuration,
            JobDirectory directory,
            List<WorkerFile> owned,
            Optional<Path> nativesArchive,
            Credentials credentials)
            throws IOException {
        Map<String, LocalResource> server = new TreeMap<>();
        server.put(JobDirectory.JAR_LINK, file(configuration, directory.jar()));
        server.put(JobDirectory.JOB_LINK, file(configuration, directory.job()));
        server.put(JobDirectory.SECRET_LINK, file(configuration, directory.secret()));
        Map<String, LocalResource> worker = new TreeMap<>(server);
        if (nativesArchive.isPresent()) {
            worker.put(JobDirectory.NATIVES_LINK, archive(configuration, nativesArchive.get()));
        }
        for (WorkerFile file : owned) {
            worker.put(file.alias(), owned(configuration, directory, file));
        }
        return new TaskFiles(server, worker, tokens(credentials));
    }

    /** The same where parameter servers get all files that workers get. */
    public TaskFiles forAllRoles() {
        return new TaskFiles(worker, worker, tokens);
    }

    Map<String, LocalResource> of(Role role) {
        return switch (role) {
            case WORKER -> worker;
            case PARAMETER_SERVER -> server;
        };
    }

    /** The tokens, in a new buffer for each container. */
    ByteBuffer tokens() {
        return ByteBuffer.wrap(tokens);
    }

    private static LocalResource file(Configuration configuration, Path path) throws IOException {
        return resource(configuration, path, LocalResourceType.FILE, LocalResourceVisibility.APPLICATION);
    }

    /** The archive is PRIVATE, so that a node unpacks it once for all jobs of the user. */
    private static LocalResource archive(Configuration configuration, Path path) throws IOException {
        return resource(configuration, path, LocalResourceType.ARCHIVE, LocalResourceVisibility.PRIVATE);
    }

    /** A file of the cluster is PRIVATE, so that a node copies it once for all jobs of the user. */
    private static LocalResource owned(Configuration configuration, JobDirectory directory, WorkerFile file)
            throws IOException {
        return resource(
                configuration,
                directory.workerFile(file),
                file.archive() ? LocalResourceType.ARCHIVE : LocalResourceType.FILE,
                file.onCluster() ? LocalResourceVisibility.PRIVATE : LocalResourceVisibility.APPLICATION);
    }

    private static LocalResource resource(
            Configuration configuration, Path path, LocalResourceType type, LocalResourceVisibility visibility)
            throws IOException {
        FileStatus status = path.getFileSystem(configuration).getFileStatus(path);
        return LocalResource.newInstance(
                URL.fromPath(status.getPath()), type, visibility, status.getLen(), status.getModificationTime());
    }

    /** All tokens except the ApplicationMaster's own: no task may call the ResourceManager in its name. */
    private static byte[] tokens(Credentials credentials) throws IOException {
        Credentials forTasks = new Credentials();
        for (Token<? extends TokenIdentifier> token : credentials.getAllTokens()) {
            if (!token.getKind().equals(AMRMTokenIdentifier.KIND_NAME)) {
                forTasks.addToken(token.getService(), token);
            }
        }
        try (DataOutputBuffer buffer = new DataOutputBuffer()) {
            forTasks.writeTokenStorageToStream(buffer);
            return Arrays.copyOf(buffer.getData(), buffer.getLength());
        }
    }
}
