package io.optimus.am.engine.djl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class NativeLibrariesTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void unpacksLibrariesAndBinding() throws IOException {
        Path prepared = NativeLibraries.prepare(jar("libtorch.so", "libc10.so"), out());
        assertThat(files(prepared)).containsExactly("libc10.so", "libdjl_torch.so", "libtorch.so");
        assertThat(prepared.resolve("libc10.so")).hasContent("libc10.so");
        assertThat(Files.size(prepared.resolve("libdjl_torch.so"))).isGreaterThan(1_000_000);
        assertThat(files(out())).containsExactly("pytorch-2.7.1-cpu-linux-x86_64");
    }

    @Test
    public void leavesWhatIsThere() throws IOException {
        Path jar = jar("libtorch.so");
        Path prepared = NativeLibraries.prepare(jar, out());
        FileTime before = Files.getLastModifiedTime(prepared.resolve("libtorch.so"));
        assertThat(NativeLibraries.prepare(jar, out())).isEqualTo(prepared);
        assertThat(Files.getLastModifiedTime(prepared.resolve("libtorch.so"))).isEqualTo(before);
    }

    @Test(timeout = 30_000)
    public void severalMayPrepareAtOnce() throws Exception {
        Path jar = jar("libtorch.so");
        Callable<Path> prepare = () -> NativeLibraries.prepare(jar, out());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Future<Path> prepared : threads.invokeAll(List.of(prepare, prepare, prepare, prepare))) {
                assertThat(prepared.get().resolve("libtorch.so")).exists();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(files(out())).containsExactly("pytorch-2.7.1-cpu-linux-x86_64");
    }

    @Test
    public void refusesAnotherJarAndLeavesNothing() throws IOException {
        Path jar = jar("libsomething.so");
        assertThatThrownBy(() -> NativeLibraries.prepare(jar, out()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no pytorch/cpu/linux-x86_64/libtorch.so")
                .hasMessageContaining("give pytorch-native-cpu-2.7.1-linux-x86_64.jar");
        assertThat(files(out())).isEmpty();
    }

    private Path out() {
        return folder.getRoot().toPath().resolve("out");
    }

    private Path jar(String... libraries) throws IOException {
        Path jar = folder.newFile().toPath();
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            for (String library : libraries) {
                zip.putNextEntry(new ZipEntry(NativeLibraries.FOLDER_IN_JAR + "/" + library));
                zip.write(library.getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
