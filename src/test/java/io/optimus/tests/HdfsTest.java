package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.NetUtils;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * A job whose directory is on HDFS ends well although HDFS fails during its last steps, and loses no task. Its servers read
 * checkpoints from HDFS themselves.
 */
public class HdfsTest {
    private static final int STEPS = 225;
    /** Of writes; a space quota counts whole blocks. */
    private static final long TOO_LITTLE = 1 << 20;

    private static MiniDFSCluster hdfs;
    private static TrainingCluster yarn;

    @Rule
    public final Timeout timeout = new Timeout(5, TimeUnit.MINUTES);

    @BeforeClass
    public static void start() throws Throwable {
        Configuration conf = new Configuration();
        yarn = new TrainingCluster("hdfs", 2, 2);
        java.nio.file.Path folder = Files.createDirectories(yarn.folder().resolveSibling("hdfs-files"));
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
        hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        yarn.set("yarn.optimus.staging-dir", hdfs.getURI() + "/staging");
        yarn.before();
        writeSite();
    }

    /** Its defaults replace what another file says. */
    private static void writeSite() throws IOException {
        Configuration site = new Configuration(false);
        site.set(
                "dfs.namenode.http-address",
                NetUtils.getHostPortString(hdfs.getNameNode().getHttpAddress()));
        try (OutputStream out = Files.newOutputStream(yarn.configurationFolder().resolve("hdfs-site.xml"))) {
            site.writeXml(out);
        }
    }

    @AfterClass
    public static void stop() {
        if (yarn != null) {
            yarn.after();
        }
        if (hdfs != null) {
            hdfs.shutdown();
        }
    }

    private interface Fault {
        void run() throws IOException;
    }

    private static DistributedFileSystem files() throws IOException {
        return hdfs.getFileSystem();
    }

    @Test
    public void survivesANameNodeThatIsGone() throws Exception {
        survives("gone", () -> hdfs.shutdownNameNode(0), () -> hdfs.restartNameNode(0));
    }

    @Test
    public void survivesSafeMode() throws Exception {
        survives("safe-mode", () -> files().setSafeMode(SafeModeAction.ENTER), () -> files().setSafeMode(
                        SafeModeAction.LEAVE));
    }

    @Test
    public void survivesAQuotaThatIsUsedUp() throws Exception {
        Path staging = new Path("/staging");
        survives(
                "quota",
                () -> files().setQuota(staging, HdfsConstants.QUOTA_DONT_SET, TOO_LITTLE),
                () -> files().setQuota(staging, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET));
    }

    @Test
    public void aNewServerReadsItsParametersFromADataNode() throws Exception {
        SubmittedJob job = SubmittedJob.submit(yarn, "restored", yaml("restored"));
        try {
            Await.until(
                    "it trains",
                    Duration.ofMinutes(2),
                    () -> job.status().path("step").asLong() > STEPS / 3);
            SubmittedJob.killProcess(job.members().get("ps-0"));

            JsonNode result = job.result(Duration.ofMinutes(2));
            assertThat(result.path("steps").asLong()).isEqualTo(STEPS);
            assertThat(yarn.logs(job.id()))
                    .filteredOn(log -> log.contains("CheckpointClient: read checkpoint=http://"))
                    .as("the first server, and the one that replaced it")
                    .hasSize(2);
        } finally {
            job.kill();
        }
    }

    private static void survives(String name, Fault fault, Fault repair) throws Exception {
        SubmittedJob job = SubmittedJob.submit(yarn, name, yaml(name));
        try {
            Await.until(
                    "it trains",
                    Duration.ofMinutes(2),
                    () -> job.status().path("step").asLong() > STEPS / 3);
            fault.run();
            Await.until(
                    "it waits for HDFS with all steps done",
                    Duration.ofMinutes(2),
                    () -> job.status().path("step").asLong() == STEPS
                            && job.status().path("survived").toString().contains("trying again"));
            assertThat(job.ended()).isFalse();
            repair.run();

            JsonNode result = job.result(Duration.ofMinutes(2));
            assertThat(result.path("steps").asLong()).isEqualTo(STEPS);
            assertThat(result.path("stepsRedone").asLong()).isZero();
            assertThat(job.output().resolve("model.bin")).exists();
        } finally {
            job.kill();
        }
    }

    private static String yaml(String name) {
        return """
                name: %s
                engine: emulated
                model: mlp
                dataset: digits
                mode: synchronous
                globalBatch: 64
                stop: {maxEpochs: 10}
                checkpoint: {everySteps: 20}
                emulated: {wraps: java, speed: {secondsFixed: 0.05}}
                roles:
                  worker: {min: 2, max: 2, memoryMb: 384, gpus: 1}
                  ps: {min: 1, max: 1, memoryMb: 384}
                """
                .formatted(name);
    }
}
