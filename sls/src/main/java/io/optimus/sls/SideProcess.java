package io.optimus.sls;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@link SideRun} in a fresh JVM under a time limit; nothing of it runs on. */
final class SideProcess {
    /** Hadoop does not run on Java 17 without it. */
    private static final String OPEN_LANG = "java.base/java.lang=ALL-UNNAMED";

    private static final String LOG = "log.txt";
    private static final int LOG_TAIL = 2_000;
    /** Starting a ResourceManager, collecting garbage, and nodes at 100 a second on a busy machine. */
    private static final int START_SECONDS = 90;

    private static final int NODES_STARTED_PER_SECOND = 100;

    private final Path root;
    private final int heapMb;

    /**
     * Runs processes.
     *
     * @param root the folder below which each run has its own
     * @param heapMb largest heap of each JVM
     */
    SideProcess(Path root, int heapMb) {
        this.root = root;
        this.heapMb = heapMb;
    }

    /**
     * Measures one side.
     *
     * @throws IOException if the run fails or takes too long; the message names its log and ends with what is in it
     */
    Measurement run(RunSettings run, int repetition) throws IOException, InterruptedException {
        Workload workload = run.workload();
        Path folder = Files.createDirectories(
                root.resolve(run.side().word() + "-" + workload.nodes() + "-nodes-" + repetition));
        Files.deleteIfExists(folder.resolve(Measurement.FILE));
        run.write(folder);
        writeHosts(folder.resolve("hosts"), workload.nodes());
        Process process = new ProcessBuilder(command(folder))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(LOG).toFile())
                .start();
        Thread killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            if (!process.waitFor(limitSeconds(workload), TimeUnit.SECONDS)) {
                throw failed("did not end within " + limitSeconds(workload) + " s", folder);
            }
            if (process.exitValue() != 0) {
                throw failed("ended with exit status " + process.exitValue(), folder);
            }
            return Measurement.read(folder);
        } finally {
            process.destroyForcibly().waitFor();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    private static int limitSeconds(Workload workload) {
        return START_SECONDS
                + SideRun.LATEST_START_SECONDS
                + workload.nodes() / NODES_STARTED_PER_SECOND
                + 2 * (workload.warmUpSeconds() + workload.seconds());
    }

    private List<String> command(Path folder) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return List.of(
                java.toString(),
                "-Xmx" + heapMb + "m",
                "--add-opens",
                OPEN_LANG,
                // Names of simulated nodes: the network's name servers know none of them.
                "-Djdk.net.hosts.file=" + folder.resolve("hosts"),
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                SideRun.class.getName(),
                folder.toString());
    }

    private static void writeHosts(Path file, int nodes) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("127.0.0.1 localhost");
        lines.add("127.0.0.1 " + InetAddress.getLocalHost().getHostName());
        for (int node = 0; node < nodes; node++) {
            lines.add("127.0.0.1 node" + node);
        }
        Files.write(file, lines);
    }

    private static IOException failed(String what, Path folder) throws IOException {
        String log = Files.readString(folder.resolve(LOG), StandardCharsets.UTF_8);
        return new IOException("A measured ResourceManager " + what + ". Its log " + folder.resolve(LOG)
                + " ends with:\n" + log.substring(Math.max(0, log.length() - LOG_TAIL)));
    }
}
