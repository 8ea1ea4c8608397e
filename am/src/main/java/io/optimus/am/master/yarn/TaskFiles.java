package io.optimus.am.master.yarn;

import io.optimus.am.job.JobDirectory;
import io.optimus.model.Role;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
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

/** What YARN brings to a task's node: files, and the tokens to read them with. */
public final class TaskFiles {
    private final Map<String, LocalResource> server;
    private final Map<String, LocalResource> worker;
    private final String nativesFolder;
    private final byte[] tokens;

    private TaskFiles(
            Map<String, LocalResource> server, Map<String, LocalResource> worker, String nativesFolder, byte[] tokens) {
        this.server = server;
        this.worker = worker;
        this.nativesFolder = nativesFolder;
        this.tokens = tokens;
    }

    /**
     * Looks the files up.
     *
     * @param archive of PyTorch's native libraries, for workers
     * @param nativesFolder of the same on every node; empty where there is none
     * @param credentials of the ApplicationMaster
     */
    public static TaskFiles of(
            Configuration configuration,
            JobDirectory directory,
            Optional<Path> archive,
            String nativesFolder,
            Credentials credentials)
            throws IOException {
        Map<String, LocalResource> server = new TreeMap<>();
        server.put(JobDirectory.JAR_LINK, file(configuration, directory.jar()));
        server.put(JobDirectory.JOB_LINK, file(configuration, directory.job()));
        server.put(JobDirectory.SECRET_LINK, file(configuration, directory.secret()));
        Map<String, LocalResource> worker = new TreeMap<>(server);
        if (archive.isPresent()) {
            worker.put(JobDirectory.NATIVES_LINK, archive(configuration, archive.get()));
        }
        return new TaskFiles(server, worker, nativesFolder, tokens(credentials));
    }

    public Map<String, LocalResource> of(Role role) {
        return switch (role) {
            case WORKER -> worker;
            case PARAMETER_SERVER -> server;
        };
    }

    String nativesFolder() {
        return nativesFolder;
    }

    /** A buffer of its own for each container. */
    ByteBuffer tokens() {
        return ByteBuffer.wrap(tokens);
    }

    private static LocalResource file(Configuration configuration, Path path) throws IOException {
        return resource(configuration, path, LocalResourceType.FILE, LocalResourceVisibility.APPLICATION);
    }

    /** Private: a node unpacks it once for all jobs of the user. */
    private static LocalResource archive(Configuration configuration, Path path) throws IOException {
        return resource(configuration, path, LocalResourceType.ARCHIVE, LocalResourceVisibility.PRIVATE);
    }

    private static LocalResource resource(
            Configuration configuration, Path path, LocalResourceType type, LocalResourceVisibility visibility)
            throws IOException {
        FileStatus status = path.getFileSystem(configuration).getFileStatus(path);
        return LocalResource.newInstance(
                URL.fromPath(status.getPath()), type, visibility, status.getLen(), status.getModificationTime());
    }

    /** All but the ApplicationMaster's own: no task may speak to the ResourceManager in its name. */
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
