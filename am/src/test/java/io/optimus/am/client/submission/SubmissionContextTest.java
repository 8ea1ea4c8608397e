package io.optimus.am.client.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpec;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Test;

public final class SubmissionContextTest {
    private final Configuration configuration = new Configuration(false);

    @Test
    public void takesTokensOfTheStagingFolderAndOfTheOutput() throws IOException {
        assertThat(tokens("guarded://models/a").getAllTokens())
                .extracting(token -> token.getService().toString())
                .containsExactlyInAnyOrder("guarded://staging", "guarded://models");
        assertThat(tokens("guarded://models/a").getAllTokens())
                .extracting(token -> token.getKind().toString())
                .containsOnly("for rm");
    }

    @Test
    public void takesOneTokenWhereBothAreOnOneFileSystem() throws IOException {
        assertThat(tokens("guarded://staging/models").getAllTokens()).hasSize(1);
    }

    @Test
    public void takesTokensOfAllFileSystemsThatTheJobNames() throws Exception {
        JobSpec spec = JobFile.parse(
                        "job.yaml",
                        "name: a\nmodel: mlp\ndataset: digits\n",
                        List.of("fileSystems=[guarded://data, 'guarded://more:8020/']", "output=guarded://models/a"))
                .spec();
        configuration.set("fs.defaultFS", "guarded://home");

        assertThat(tokens(SubmissionContext.fileSystems(ApplicationId.newInstance(1, 1), spec))
                        .getAllTokens())
                .extracting(token -> token.getService().toString())
                .containsExactlyInAnyOrder(
                        "guarded://staging",
                        "guarded://home",
                        "guarded://models",
                        "guarded://data",
                        "guarded://more:8020");
    }

    private Credentials tokens(String output) throws IOException {
        return tokens(List.of(new Path(output)));
    }

    private Credentials tokens(List<Path> paths) throws IOException {
        configuration.setClass("fs.guarded.impl", Guarded.class, FileSystem.class);
        configuration.setBoolean("fs.guarded.impl.disable.cache", true);
        Credentials credentials = new Credentials();
        FileSystem staging = FileSystem.get(URI.create("guarded://staging"), configuration);
        new SubmissionContext(configuration, staging).addTokens("rm", paths, credentials);
        return credentials;
    }

    /** A file system that needs a token, as HDFS with Kerberos does. */
    public static final class Guarded extends RawLocalFileSystem {
        private URI name = URI.create("guarded:///");

        @Override
        public void initialize(URI uri, Configuration conf) throws IOException {
            super.initialize(uri, conf);
            name = uri;
        }

        @Override
        public String getCanonicalServiceName() {
            return "guarded://" + name.getAuthority();
        }

        @Override
        public Token<?> getDelegationToken(String renewer) {
            return new Token<>(
                    new byte[0], new byte[0], new Text("for " + renewer), new Text(getCanonicalServiceName()));
        }
    }
}
