package io.optimus.am.client.submission;

import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.JobDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Where PyTorch's native libraries come from. */
public interface NativesSource {
    /** No native libraries, for engines that need none. */
    NativesSource NONE = staging -> Map.of();

    /** Environment variables for the ApplicationMaster that name the libraries; copies an archive to the cluster first. */
    Map<String, String> environment(Staging staging) throws IOException;

    /**
     * Finds the libraries.
     *
     * @param jar the jar that is sent with the job
     * @param fromEnvironment the value of {@link ClientKeys#NATIVES_VARIABLE}
     * @throws IOException if there are none; the message says where they were looked for and how to give them
     */
    static NativesSource find(Configuration configuration, Path jar, @Nullable String fromEnvironment)
            throws IOException {
        String given = ClientKeys.NATIVES.in(configuration).orElse(fromEnvironment == null ? "" : fromEnvironment);
        if (!given.isEmpty()) {
            Path path = Path.of(given).toAbsolutePath();
            if (Files.isRegularFile(path)) {
                return archive(path);
            }
            if (Files.isRegularFile(path.resolve("libtorch.so"))) {
                return staging -> Map.of(JobDirectory.NATIVES_FOLDER_VARIABLE, path.toString());
            }
            throw new IOException(path + ", which " + ClientKeys.NATIVES.key() + " or " + ClientKeys.NATIVES_VARIABLE
                    + " names, is neither a jar nor a folder that contains libtorch.so: name one of them");
        }
        Path library = jar.resolveSibling("lib");
        return beside(library)
                .orElseThrow(() -> new IOException("The engine djl needs PyTorch's native libraries, and there is no "
                        + library + "/pytorch-native-cpu-*.jar: put that jar there, or name it with -D "
                        + ClientKeys.NATIVES.key() + "=…, or use the engine java"));
    }

    /** A jar that is sent with the job. */
    private static NativesSource archive(Path jar) {
        return staging -> Map.of(
                JobDirectory.NATIVES_ARCHIVE_VARIABLE,
                staging.cached(jar).toUri().toString());
    }

    private static Optional<NativesSource> beside(Path library) throws IOException {
        if (!Files.isDirectory(library)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(library, "pytorch-native-cpu-*.jar")) {
            for (Path jar : jars) {
                return Optional.of(archive(jar));
            }
        }
        return Optional.empty();
    }
}
