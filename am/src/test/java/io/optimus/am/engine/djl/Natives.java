package io.optimus.am.engine.djl;

import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Path;

/** PyTorch's native libraries for tests, unpacked once into the module's target folder. */
final class Natives {
    private Natives() {}

    /** Unpacks the libraries and names their folder to this JVM; skips the test where the build has none. */
    static Path prepared() throws IOException {
        URL properties = Natives.class.getResource("/native/lib/pytorch.properties");
        assumeTrue("pytorch-native-cpu is not on the class path (its jar is for Linux on x86-64)", properties != null);
        String jar =
                ((JarURLConnection) properties.openConnection()).getJarFileURL().getPath();
        Path folder = NativeLibraries.prepare(Path.of(jar), Path.of("target", "pytorch"));
        NativeLibraries.environment(folder.toString(), "target/djl").forEach(System::setProperty);
        return folder;
    }
}
