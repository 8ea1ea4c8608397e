package io.optimus.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * Programs on one node that does not isolate its four GPUs see those of their own containers. The NodeManager runs YARN's
 * GPU plug-in, which discovers the GPUs by an nvidia-smi that prints a recorded answer.
 */
public class VisibleGpusTest {
    private static final int GPUS = 4;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @ClassRule
    public static final TrainingCluster CLUSTER = new TrainingCluster("gpus", 1, 0)
            .set("yarn.nodemanager.resource-plugins", "yarn.io/gpu")
            .set("yarn.nodemanager.resource-plugins.gpu.path-to-discovery-executables", nvidiaSmi())
            .set("yarn.nodemanager.container-executor.class", UnisolatedGpusExecutor.class.getName());

    @Rule
    public final Timeout timeout = new Timeout(6, TimeUnit.MINUTES);

    @Rule
    public final SubmittedJobs jobs = new SubmittedJobs(CLUSTER);

    @Test
    public void eachProgramSeesTheGpusOfItsOwnContainer() throws Exception {
        submit("one", 1);
        submit("two", 2);
        Await.until("both programs run", LIMIT, () -> seen().size() == 2);
        Map<String, String> seen = seen();
        List<String> one = List.of(seen.get("one").split(" ")[0].split(","));
        List<String> two = List.of(seen.get("two").split(" ")[0].split(","));
        assertThat(one).as("seen %s", seen).hasSize(1).doesNotContainAnyElementsOf(two);
        assertThat(two).as("seen %s", seen).hasSize(2).doesNotHaveDuplicates();
        assertThat(List.of("0", "1", "2", "3")).containsAll(one).containsAll(two);
        assertThat(seen.values()).allMatch(line -> line.endsWith(" PCI_BUS_ID"));
    }

    /** The programs print what they see into a file; the name appears when the text is complete. */
    private static Map<String, String> seen() throws IOException {
        Map<String, String> seen = new TreeMap<>();
        for (String name : List.of("one", "two")) {
            Path file = CLUSTER.folder().resolve(name).resolve("seen.txt");
            if (Files.exists(file)) {
                seen.put(name, Files.readString(file).strip());
            }
        }
        return seen;
    }

    /** A job whose interpreter is a shell script: what the program sees is decided before Python starts. */
    private void submit(String name, int gpus) throws Exception {
        Path folder = Files.createDirectories(CLUSTER.folder().resolve(name));
        Files.writeString(folder.resolve("train.py"), "");
        Path interpreter = executable(
                folder.resolve("python"),
                """
                #!/bin/sh
                echo "$CUDA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER" > %1$s/seen.part
                mv %1$s/seen.part %1$s/seen.txt
                exec sleep 300
                """
                        .formatted(folder));
        jobs.submit(
                name,
                """
                name: %s
                framework: python
                program: {script: train.py, python: %s}
                roles:
                  worker: {memoryMb: 512, gpus: %d}
                  ps: {memoryMb: 300}
                """
                        .formatted(name, interpreter, gpus));
    }

    /** An nvidia-smi with four GPUs, whose device files have other numbers than nvidia-smi gives to the GPUs. */
    private static String nvidiaSmi() {
        String list = IntStream.range(0, GPUS)
                .mapToObj(index ->
                        """
                        <gpu id="00000000:0%d:00.0">
                          <product_name>Tesla P100-PCIE-12GB</product_name>
                          <uuid>GPU-28604e81-21ec-cc48-6759-bf2648b2200%d</uuid>
                          <minor_number>%d</minor_number>
                          <fb_memory_usage><total>12193 MiB</total><used>0 MiB</used><free>12193 MiB</free></fb_memory_usage>
                          <utilization><gpu_util>0 %%</gpu_util></utilization>
                          <temperature><gpu_temp>30 C</gpu_temp><gpu_temp_max_threshold>85 C</gpu_temp_max_threshold>
                            <gpu_temp_slow_threshold>82 C</gpu_temp_slow_threshold></temperature>
                        </gpu>
                        """
                                .formatted(index + 1, index, 10 + GPUS - index))
                .collect(Collectors.joining());
        try {
            return executable(
                            // The cluster empties its own folder at the start.
                            Files.createTempDirectory("nvidia").resolve("nvidia-smi"),
                            "#!/bin/sh\ncat <<'END'\n<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n"
                                    + "<driver_version>375.66</driver_version>\n<attached_gpus>" + GPUS
                                    + "</attached_gpus>\n" + list + "</nvidia_smi_log>\nEND\n")
                    .toString();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Path executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("Cannot make " + file + " executable");
        }
        return file;
    }
}
