package io.optimus.am.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.Test;

public final class TaskReadableFileTest {
    private final Configuration configuration = new Configuration(false);

    private List<String> addresses(String file) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return TaskReadableFile.webHdfs(configuration, URI.create(file)).stream()
                .map(address -> address.toString().replaceFirst("user.name=" + user + "$", "user.name=USER"))
                .toList();
    }

    @Test
    public void aNameNodeThatListensEverywhereIsOnItsOwnHost() throws IOException {
        configuration.set("dfs.namenode.http-address", "0.0.0.0:9871");

        assertThat(addresses("hdfs://nn.example:8020/jobs/a%20b/checkpoint-1"))
                .containsExactly("http://nn.example:9871/webhdfs/v1/jobs/a%20b/checkpoint-1?op=OPEN&user.name=USER");
    }

    @Test
    public void namesAllNameNodesOfAServiceInOrder() throws IOException {
        configuration.set("dfs.ha.namenodes.blue", "nn1, nn2");
        configuration.set("dfs.namenode.http-address", "0.0.0.0:9870");
        configuration.set("dfs.namenode.http-address.blue.nn1", "127.0.0.1:50070");
        configuration.set("dfs.namenode.http-address.blue.nn2", "0.0.0.0:50071");
        configuration.set("dfs.namenode.rpc-address.blue.nn1", "127.0.0.1:8020");
        configuration.set("dfs.namenode.rpc-address.blue.nn2", "127.0.0.2:8020");

        assertThat(addresses("hdfs://blue/file"))
                .containsExactly(
                        "http://127.0.0.1:50070/webhdfs/v1/file?op=OPEN&user.name=USER",
                        "http://127.0.0.2:50071/webhdfs/v1/file?op=OPEN&user.name=USER");
    }

    @Test
    public void tasksDoNotReadOverTls() throws IOException {
        configuration.set("dfs.http.policy", "HTTPS_ONLY");

        assertThat(addresses("hdfs://nn.example:8020/file")).isEmpty();
    }

    @Test
    public void aLocalFileHasItsPath() throws IOException {
        FileSystem local = FileSystem.getLocal(new Configuration());
        Path folder = local.makeQualified(new Path(System.getProperty("java.io.tmpdir")));

        assertThat(TaskReadableFile.addresses(local, folder))
                .containsExactly(URI.create("file:" + folder.toUri().getPath()));
    }
}
