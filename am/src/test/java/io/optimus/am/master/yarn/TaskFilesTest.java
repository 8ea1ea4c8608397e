package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.SharedFileSystem;
import io.optimus.am.job.WorkerFile;
import io.optimus.model.Role;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class TaskFilesTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void givesTheOwnersFilesToWorkersUnderTheirAliases() throws IOException {
        Configuration configuration = new Configuration();
        configuration.setClass("fs.shared.impl", SharedFileSystem.class, FileSystem.class);
        JobDirectory directory = new JobDirectory(new Path(folder.getRoot().toURI()));
        WorkerFile script = new WorkerFile("train.py", "train.py", false);
        WorkerFile environment = new WorkerFile("env.tar.gz", "env", true);
        WorkerFile data = new WorkerFile("shared:" + folder.newFile("data.csv"), "data.csv", false);
        FileSystem fileSystem = FileSystem.getLocal(configuration);
        for (Path path : List.of(
                directory.jar(),
                directory.job(),
                directory.secret(),
                directory.workerFile(script),
                directory.workerFile(environment))) {
            fileSystem.create(path).close();
        }

        TaskFiles files = TaskFiles.of(
                configuration, directory, List.of(script, environment, data), Optional.empty(), new Credentials());

        assertThat(files.of(Role.PARAMETER_SERVER)).containsOnlyKeys("optimus-am.jar", "job.json", "job.secret");
        Map<String, LocalResource> worker = files.of(Role.WORKER);
        assertThat(worker).hasSize(6);
        assertThat(resource(worker, "train.py").getType()).isEqualTo(LocalResourceType.FILE);
        assertThat(resource(worker, "train.py").getVisibility()).isEqualTo(LocalResourceVisibility.APPLICATION);
        assertThat(resource(worker, "env").getType()).isEqualTo(LocalResourceType.ARCHIVE);
        assertThat(resource(worker, "env").getResource().getFile()).endsWith("/files/env.tar.gz");
        assertThat(resource(worker, "data.csv").getVisibility()).isEqualTo(LocalResourceVisibility.PRIVATE);
    }

    @Test
    public void givesTasksTheTokensOfFileSystemsButNotTheApplicationMastersOwn() throws IOException {
        Configuration configuration = new Configuration();
        JobDirectory directory = new JobDirectory(new Path(folder.getRoot().toURI()));
        FileSystem fileSystem = FileSystem.getLocal(configuration);
        for (Path path : List.of(directory.jar(), directory.job(), directory.secret())) {
            fileSystem.create(path).close();
        }
        Credentials ofMaster = new Credentials();
        for (String kind : List.of("HDFS_DELEGATION_TOKEN", "YARN_AM_RM_TOKEN")) {
            ofMaster.addToken(
                    new Text(kind),
                    new Token<>(new byte[] {1}, new byte[] {2}, new Text(kind), new Text("at " + kind)));
        }
        ofMaster.addSecretKey(new Text("shared"), new byte[] {3});

        TaskFiles files = TaskFiles.of(configuration, directory, List.of(), Optional.empty(), ofMaster);

        Credentials ofTask = new Credentials();
        ofTask.readTokenStorageStream(new DataInputStream(new ByteArrayInputStream(
                files.tokens().array(), 0, files.tokens().remaining())));
        assertThat(ofTask.getAllTokens())
                .extracting(token -> token.getKind().toString())
                .containsExactly("HDFS_DELEGATION_TOKEN");
    }

    private static LocalResource resource(Map<String, LocalResource> resources, String name) {
        return Objects.requireNonNull(resources.get(name), name);
    }
}
