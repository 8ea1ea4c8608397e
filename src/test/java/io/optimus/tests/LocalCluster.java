package io.optimus.tests;

import io.optimus.tests.SubmittedJob.CommandOutput;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.rules.ExternalResource;

/** A YARN cluster of daemons in processes of their own, which {@code scripts/local-cluster} starts. It has rounds of 1 s,
 * and NodeManagers that know their containers again when they start again. */
final class LocalCluster extends ExternalResource implements Cluster {
    private final Path folder;
    private final int nodes;
    private final int gpusPerNode;
    private YarnClient client;

    LocalCluster(String name, int nodes, int gpusPerNode) {
        this.folder = Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
        this.nodes = nodes;
        this.gpusPerNode = gpusPerNode;
    }

    @Override
    protected void before() throws Throwable {
        Script.assumeBuilt();
        FileUtil.fullyDelete(folder.toFile());
        Files.createDirectories(folder);
        CommandOutput started = script(
                "start",
                "--nodes",
                String.valueOf(nodes),
                "--gpus-per-node",
                String.valueOf(gpusPerNode),
                "--round-interval",
                "1",
                "--set",
                "yarn.scheduler.optimus.report-interval=200ms",
                "--set",
                "yarn.nodemanager.recovery.enabled=true");
        if (started.exit() != 0) {
            throw new AssertionError(started.text());
        }
        YarnConfiguration conf = new YarnConfiguration();
        for (String file : List.of("core-site.xml", "yarn-site.xml")) {
            conf.addResource(configurationFolder().resolve(file).toUri().toURL());
        }
        client = YarnClient.createYarnClient();
        client.init(conf);
        client.start();
    }

    @Override
    protected void after() {
        if (client != null) {
            client.stop();
        }
        try {
            script("stop");
        } catch (Exception e) {
            throw new AssertionError("The cluster cannot be stopped", e);
        }
    }

    private CommandOutput script(String word, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(Script.named("local-cluster"), word));
        command.addAll(List.of(options));
        command.addAll(List.of("--run-dir", runDir().toString()));
        return Script.run(folder, command);
    }

    private Path runDir() {
        return folder.resolve("cluster");
    }

    @Override
    public Path configurationFolder() {
        return runDir().resolve("conf");
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public YarnClient client() {
        return client;
    }

    /**
     * Kills the NodeManager of {@code node} with SIGKILL, and starts it again with the same command.
     *
     * @param node its host and port, as YARN names the node
     * @param options more words of the command
     */
    void restartNode(String node, String... options) throws Exception {
        String address = "yarn.nodemanager.address=" + node;
        ProcessHandle killed = ProcessHandle.allProcesses()
                .filter(process -> command(process).contains(address))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No NodeManager of " + node));
        List<String> command = new ArrayList<>(command(killed));
        command.addAll(List.of(options));
        killed.destroyForcibly();
        killed.onExit().join();
        File log = runDir().resolve("logs/restarted.log").toFile();
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
        builder.environment().put("HADOOP_CONF_DIR", configurationFolder().toString());
        long millis = System.currentTimeMillis();
        builder.start();
        Await.until("the NodeManager has registered again", () -> client.getNodeReports(NodeState.RUNNING).stream()
                .anyMatch(report ->
                        report.getNodeId().toString().equals(node) && report.getLastHealthReportTime() > millis));
    }

    private static List<String> command(ProcessHandle process) {
        try {
            Path file = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
            return List.of(Files.readString(file, StandardCharsets.UTF_8).split("\0"));
        } catch (IOException ended) {
            return List.of();
        }
    }
}
