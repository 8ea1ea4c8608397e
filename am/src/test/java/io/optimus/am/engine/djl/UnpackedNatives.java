package io.optimus.am.engine.djl;

import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Path;

/** PyTorch's native libraries for tests, unpacked once into the module's target folder. */
final class UnpackedNatives {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    private UnpackedNatives() {}

    /** Maven's jar of the libraries; the test is skipped if this machine cannot use it. */
    static Path jar() throws IOException {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        assumeTrue("PyTorch's libraries are for Linux on x86-64, not " + machine, machine.equals("Linux amd64"));
        URL properties = UnpackedNatives.class.getResource("/native/lib/pytorch.properties");
        assumeTrue("pytorch-native-cpu is not on the class path", properties != null);
        return Path.of(
                ((JarURLConnection) properties.openConnection()).getJarFileURL().getPath());
    }

    /** The folder of the unpacked libraries. */
    static Path folder() throws IOException {
        return NativeLibraries.prepare(jar(), TARGET.resolve("pytorch"));
    }

    /** Sets the folder for this JVM, as the environment does for a worker. */
    static void use() throws IOException {
        NativeLibraries.environment(folder().toString(), cache()).forEach(System::setProperty);
    }

    /** A folder for DJL's own files. */
    static String cache() {
        return TARGET.resolve("djl").toString();
    }
}
