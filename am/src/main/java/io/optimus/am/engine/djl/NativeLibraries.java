package io.optimus.am.engine.djl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * PyTorch's native libraries: how a job sends them to its workers, and how a worker loads them.
 *
 * <p>They come in Maven's {@code ai.djl.pytorch:pytorch-native-cpu:2.7.1:linux-x86_64} (112 MB; 448 MB unpacked), which
 * is not part of the ApplicationMaster's jar. Either
 *
 * <ul>
 *   <li>localise that jar, as it is, as a YARN resource of type ARCHIVE under some link name: YARN unpacks it once per
 *       node and user if it is private, once per node if it is public; the libraries lie, uncompressed, in {@code
 *       link/}{@link #FOLDER_IN_JAR}; or
 *   <li>{@link #prepare} a folder once, where all processes of a cluster can read it.
 * </ul>
 *
 * <p>A worker then needs {@link #environment} of that folder and {@link #JVM_FLAGS}. DJL's own binding (4 MB, in the
 * ApplicationMaster's jar) is found in a prepared folder; else DJL copies it to {@code DJL_CACHE_DIR}, which must belong
 * to the container's user.
 */
public final class NativeLibraries {
    /** PyTorch's version. */
    public static final String VERSION = "2.7.1";
    /** The folder of the libraries in the jar, and so in an unpacked archive. */
    public static final String FOLDER_IN_JAR = "pytorch/cpu/linux-x86_64";

    /**
     * Flags that keep a worker's address space small and its computation on one core; the caller adds the heap ({@code -Xmx}).
     * With the default reservations, YARN's check of virtual memory kills JVMs in containers of 1 GB.
     */
    public static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:CompressedClassSpaceSize=48m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:MaxMetaspaceSize=96m",
            "-Dai.djl.offline=true",
            "-Dai.djl.pytorch.num_threads=1",
            "-Dai.djl.pytorch.num_interop_threads=1");

    private static final String LIBRARY = "libtorch.so";
    private static final String BINDING = "libdjl_torch.so";
    private static final String BINDING_RESOURCE = "/jnilib/linux-x86_64/cpu/" + BINDING;
    private static final String PATH_KEY = "PYTORCH_LIBRARY_PATH";

    private NativeLibraries() {}

    /**
     * The environment variables of a worker.
     *
     * @param folder the folder of {@code libtorch.so}; may contain a variable for YARN to expand, such as {@code {{PWD}}}
     * @param cache a folder that the worker may write to, for DJL's binding
     */
    public static Map<String, String> environment(String folder, String cache) {
        return Map.of(
                PATH_KEY,
                folder,
                "PYTORCH_VERSION",
                VERSION,
                "PYTORCH_FLAVOR",
                "cpu",
                "DJL_CACHE_DIR",
                cache,
                "OMP_NUM_THREADS",
                "1",
                "MALLOC_ARENA_MAX",
                "1");
    }

    /** Why this process cannot load the libraries, and the remedy; empty if it can. */
    public static Optional<String> problem() {
        String folder = Objects.requireNonNullElse(System.getenv(PATH_KEY), System.getProperty(PATH_KEY, ""));
        if (!folder.isEmpty()) {
            return Files.isRegularFile(Path.of(folder, LIBRARY))
                    ? Optional.empty()
                    : Optional.of(PATH_KEY + "=" + folder + " holds no " + LIBRARY + ": unpack pytorch-native-cpu-"
                            + VERSION + "-linux-x86_64.jar there");
        }
        return NativeLibraries.class.getResource("/" + FOLDER_IN_JAR + "/" + LIBRARY) != null
                ? Optional.empty()
                : Optional.of("PyTorch's native libraries are missing: set " + PATH_KEY
                        + " to their folder, or use the engine java");
    }

    /**
     * Unpacks the libraries and DJL's binding into a folder below {@code folder}, unless that exists already. Several processes
     * may call it at once, because the folder is renamed when it is complete.
     *
     * @param nativeJar pytorch-native-cpu-2.7.1-linux-x86_64.jar
     * @return the folder for {@link #environment}
     * @throws IOException if it is another jar, or cannot be unpacked
     */
    public static Path prepare(Path nativeJar, Path folder) throws IOException {
        Path whole = folder.resolve("pytorch-" + VERSION + "-cpu-linux-x86_64");
        if (Files.isDirectory(whole)) {
            return whole;
        }
        Files.createDirectories(folder);
        Path part = Files.createTempDirectory(folder, "pytorch-");
        try {
            unpack(nativeJar, part);
            copyBinding(part.resolve(BINDING));
            makeReadable(part);
            moveUnlessThere(part, whole);
        } finally {
            deleteFolder(part);
        }
        return whole;
    }

    private static void unpack(Path nativeJar, Path into) throws IOException {
        try (ZipFile jar = new ZipFile(nativeJar.toFile())) {
            for (ZipEntry entry : Collections.list(jar.entries())) {
                Path name = Path.of(entry.getName());
                if (!entry.isDirectory() && Path.of(FOLDER_IN_JAR).equals(name.getParent())) {
                    try (InputStream library = jar.getInputStream(entry)) {
                        Files.copy(library, into.resolve(name.getFileName()));
                    }
                }
            }
        }
        if (!Files.isRegularFile(into.resolve(LIBRARY))) {
            throw new IOException(nativeJar + " holds no " + FOLDER_IN_JAR + "/" + LIBRARY
                    + ": give pytorch-native-cpu-" + VERSION + "-linux-x86_64.jar");
        }
    }

    private static void copyBinding(Path to) throws IOException {
        try (InputStream binding = NativeLibraries.class.getResourceAsStream(BINDING_RESOURCE)) {
            if (binding == null) {
                throw new IOException(BINDING_RESOURCE + " is not on the class path: add the jar of pytorch-jni");
            }
            Files.copy(binding, to);
        }
    }

    /** Makes the folder readable for the workers of every user; temporary folders are readable for their owner only. */
    private static void makeReadable(Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void moveUnlessThere(Path part, Path whole) throws IOException {
        try {
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(whole)) {
                throw e;
            }
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
        }
    }
}
