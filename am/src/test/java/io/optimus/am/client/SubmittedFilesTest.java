package io.optimus.am.client;

import static io.optimus.am.client.CommandRunner.permissions;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.Rule;
import org.junit.Test;

/** What {@code submit} sends with a job: the files of its owner's program, and native libraries. */
public final class SubmittedFilesTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void stagesTheFilesOfAnOwnersProgramForItsOwnerOnly() throws IOException {
        optimus.write("train.py", "print()");
        optimus.write("env.tgz", "packed");
        writeProgram("archives: ['env.tgz#env', '" + onCluster("big.tar") + "#big']");

        assertThat(optimus.submit()).isZero();

        assertThat(optimus.out()).contains("Sent      2 files, 0.0 MiB");
        Path files = optimus.jobFolder().resolve("files");
        assertThat(permissions(files)).isEqualTo("rwx------");
        assertThat(files.resolve("train.py")).hasContent("print()");
        assertThat(files.resolve("env.tgz")).hasContent("packed");
        assertThat(permissions(files.resolve("env.tgz"))).isEqualTo("rw-------");
        assertThat(files.resolve("big.tar")).doesNotExist();
        assertThat(cluster.submitted.get(0).getApplicationTags()).containsExactlyInAnyOrder("synchronous", "python");
    }

    @Test
    public void removesTheFilesOfAnOwnersProgramWhenItsMasterNeverRan() throws IOException {
        optimus.write("train.py", "print()");
        writeProgram("");

        assertThat(optimus.submit("--wait")).isZero();
        assertThat(optimus.jobFolder().resolve("files")).doesNotExist();
    }

    @Test
    public void refusesFilesOfAProgramThatAreMissingHereAndOnTheCluster() throws IOException {
        writeProgram("files: ['" + onCluster("big.tar").replace("big", "small") + "', 'shared:/']");

        Path file = optimus.jobFile();
        assertThat(optimus.submit()).isEqualTo(2);
        assertThat(optimus.err())
                .contains("program.script: there is no file " + file.resolveSibling("train.py"))
                .contains("files: there is no file shared:" + file.resolveSibling("small.tar"))
                .contains("files: '' cannot be a name in the worker's folder")
                .contains("files: shared:/ is a folder");
        optimus.assertNothingHappened();
        assertThat(optimus.validate()).isEqualTo(2);
    }

    @Test
    public void sendsTheNativeLibrariesOnceForAllJobs() throws IOException {
        Files.createDirectories(optimus.folder().resolve("lib"));
        optimus.write("lib/pytorch-native-cpu-9.9-linux-x86_64.jar", "libraries");

        optimus.submit("--set", "engine=djl");
        optimus.submit("--set", "engine=djl");

        Path cached = optimus.userFolder().resolve("cache/pytorch-native-cpu-9.9-linux-x86_64.jar");
        try (InputStream withChecksums =
                FileSystem.getLocal(new Configuration()).open(new org.apache.hadoop.fs.Path(cached.toUri()))) {
            assertThat(withChecksums).hasContent("libraries");
        }
        try (Stream<Path> files = Files.list(cached.resolveSibling("."))) {
            assertThat(files.filter(path -> !path.toString().endsWith(".crc"))).hasSize(1);
        }
        assertThat(cluster.submitted).allSatisfy(context -> assertThat(
                        context.getAMContainerSpec().getEnvironment().get("OPTIMUS_NATIVES_ARCHIVE"))
                .endsWith(cached.toString()));
    }

    @Test
    public void namesTheFolderOfNativeLibrariesThatEveryNodeHas() throws IOException {
        Path libraries = Files.createDirectory(optimus.folder().resolve("torch"));
        Files.writeString(libraries.resolve("libtorch.so"), "");

        optimus.submit("--set", "engine=djl", "-D", "yarn.optimus.natives=" + libraries);

        assertThat(cluster.submitted.get(0).getAMContainerSpec().getEnvironment())
                .containsEntry("OPTIMUS_NATIVES_FOLDER", libraries.toString());
    }

    @Test
    public void saysHowToGiveNativeLibrariesThatAreMissing() throws IOException {
        assertThat(optimus.submit("--set", "engine=djl")).isEqualTo(1);
        assertThat(optimus.err()).contains("pytorch-native-cpu-*.jar", "yarn.optimus.natives");
        optimus.assertNothingHappened();
    }

    private void writeProgram(String further) throws IOException {
        optimus.writeJobFile("name: a\nframework: python\nprogram: {script: train.py}\n" + further + "\n");
    }

    /** A file on a file system that is not the local one. */
    private String onCluster(String name) throws IOException {
        return "shared:" + optimus.write(name, "large");
    }
}
