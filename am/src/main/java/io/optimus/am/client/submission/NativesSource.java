package io.optimus.am.client.submission;

import io.optimus.am.configuration.ClientKeys;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Where PyTorch's native libraries are. */
public sealed interface NativesSource {
    /** In a jar that is sent with the job. */
    record Jar(Path path) implements NativesSource {}

    /** In a folder that every node has. */
    record Folder(Path path) implements NativesSource {}

    /** Not wanted. */
    record None() implements NativesSource {}

    /**
     * Finds them.
     *
     * @param jar the job's jar
     * @param fromEnvironment value of {@link ClientKeys#NATIVES_VARIABLE}
     * @throws IOException naming where they were looked for and how to give them
     */
    static NativesSource find(Configuration configuration, Path jar, @Nullable String fromEnvironment)
            throws IOException {
        String given = ClientKeys.NATIVES.in(configuration).orElse(fromEnvironment == null ? "" : fromEnvironment);
        if (!given.isEmpty()) {
            Path path = Path.of(given).toAbsolutePath();
            if (Files.isRegularFile(path)) {
                return new Jar(path);
            }
            if (Files.isRegularFile(path.resolve("libtorch.so"))) {
                return new Folder(path);
            }
            throw new IOException(path + ", which " + ClientKeys.NATIVES.key() + " or " + ClientKeys.NATIVES_VARIABLE
                    + " names, is neither a jar nor a folder with libtorch.so in it");
        }
        Path library = jar.resolveSibling("lib");
        return beside(library)
                .orElseThrow(() -> new IOException("Engine djl needs PyTorch's native libraries and there is no "
                        + library + "/pytorch-native-cpu-*.jar: put that jar there, or name it with -D "
                        + ClientKeys.NATIVES.key() + "=…, or use engine java"));
    }

    private static Optional<NativesSource> beside(Path library) throws IOException {
        if (!Files.isDirectory(library)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(library, "pytorch-native-cpu-*.jar")) {
            for (Path jar : jars) {
                return Optional.of(new Jar(jar));
            }
        }
        return Optional.empty();
    }
}
