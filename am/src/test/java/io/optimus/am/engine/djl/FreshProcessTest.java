package io.optimus.am.engine.djl;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.dataset.SampleSets;
import io.optimus.am.engine.Engines;
import io.optimus.am.engine.LocalTraining;
import io.optimus.am.engine.TrainingEngine;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Runs an engine in a JVM with the environment and the flags of NativeLibraries, without the jar of the libraries. */
public class FreshProcessTest {
    private static final int STEPS = 400;
    private static final Pattern MEGABYTES = Pattern.compile("resident=(\\d+) later=(\\d+) virtual=(\\d+)");

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test(timeout = 120_000)
    public void trainsInASmallProcessThatDoesNotGrow() throws Exception {
        Path output = folder.newFile().toPath();
        Process process = start(UnpackedNatives.folder(), output);
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        assertThat(process.exitValue()).as(text).isZero();
        Matcher matcher = MEGABYTES.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        System.out.println("fresh worker, LeNet on digits, MB: " + matcher.group());
        assertThat(Integer.parseInt(matcher.group(2))).isLessThan(400);
        assertThat(Integer.parseInt(matcher.group(2)) - Integer.parseInt(matcher.group(1)))
                .isLessThan(40);
        assertThat(Integer.parseInt(matcher.group(3))).isLessThan(2048);
    }

    private static Process start(Path libraries, Path output) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(NativeLibraries.JVM_FLAGS);
        command.addAll(List.of("-Xmx64m", "-cp", classPathWithoutLibraries(), FreshProcessTest.class.getName()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(NativeLibraries.environment(libraries.toString(), UnpackedNatives.cache()));
        return builder.start();
    }

    private static String classPathWithoutLibraries() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("pytorch-native"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The main class of that JVM. */
    public static void main(String[] arguments) throws IOException {
        try (TrainingEngine engine = new DjlEngine(Engines.LENET, List.of(), SampleSets.digits())) {
            LocalTraining training = new LocalTraining(engine, 0.02);
            training.run(STEPS, 64);
            engine.evaluate();
            int before = megabytes("VmRSS");
            training.run(STEPS, 64);
            engine.evaluate();
            System.out.printf("resident=%d later=%d virtual=%d%n", before, megabytes("VmRSS"), megabytes("VmSize"));
        }
    }

    private static int megabytes(String key) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8)) {
            if (line.startsWith(key + ":")) {
                return Integer.parseInt(line.replaceAll("\\D", "")) / 1024;
            }
        }
        throw new IOException("/proc/self/status lacks " + key);
    }
}
