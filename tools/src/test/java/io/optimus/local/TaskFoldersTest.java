package io.optimus.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.TaskId;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class TaskFoldersTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final JobSecret secret = JobSecret.random();
    private Path root = Path.of("");
    private Path jar = Path.of("");

    @Before
    public void makeFiles() throws Exception {
        root = folder.newFolder("tasks").toPath();
        jar = Files.writeString(folder.getRoot().toPath().resolve("some.jar"), "jar");
    }

    private JobFile job() throws Exception {
        Path home = folder.newFolder().toPath();
        Files.writeString(home.resolve("train.py"), "print('trains')");
        Files.writeString(home.resolve("data.csv"), "1,2");
        Path file = Files.writeString(
                home.resolve("job.yaml"),
                """
                name: example
                framework: python
                program: {script: train.py, python: python3}
                files: ["data.csv#samples.csv"]
                """);
        return JobFile.read(file, List.of());
    }

    @Test
    public void aTaskFindsWhatItsContainerWouldHave() throws Exception {
        JobFile job = job();

        Path home = new TaskFolders(job, root, jar, secret).make(TaskId.worker(1));

        assertThat(home).isEqualTo(root.resolve("worker-1"));
        assertThat(home.resolve("train.py")).hasContent("print('trains')");
        assertThat(home.resolve("samples.csv")).hasContent("1,2");
        assertThat(home.resolve("tmp")).isEmptyDirectory();
        assertThat(home.resolve(JobDirectory.JAR_LINK)).hasContent("jar");
        assertThat(home.resolve(JobDirectory.JOB_LINK)).hasBinaryContent(JobSpecJson.write(job.spec()));
    }

    @Test
    public void nobodyElseReadsTheSecret() throws Exception {
        Path home = new TaskFolders(job(), root, jar, secret).make(TaskId.worker(0));

        Path file = home.resolve(JobDirectory.SECRET_LINK);
        assertThat(file).hasContent(secret.text());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    public void anEarlierRunsFolderIsNotWrittenInto() throws Exception {
        TaskFolders folders = new TaskFolders(job(), root, jar, secret);
        folders.make(TaskId.worker(0));

        assertThatThrownBy(() -> folders.make(TaskId.worker(0))).isInstanceOf(FileAlreadyExistsException.class);
    }
}
