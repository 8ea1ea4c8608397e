package io.optimus.dataplane;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.dataplane.Exchange.Speed;
import io.optimus.model.numerics.Medians;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Measures how fast workers exchange gradients for parameters with parameter servers, beside bare sockets that exchange as many
 * bytes between as many processes. Both sides take turns. Prints the medians and their ratio. The bare sockets always use TCP,
 * even where the tasks share a host and do not.
 */
public final class DataPlaneBenchmark {
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    private DataPlaneBenchmark() {}

    /**
     * Takes {@code FOLDER FILE ROUNDS SECONDS LEAST_RATIO [NAME ...]}: an empty folder for logs, the file for the figures, how often
     * each side is measured, for how long, the ratio below which the benchmark exits with 1, and the cases to measure if not all.
     */
    public static void main(String[] arguments) throws IOException, InvalidJobFileException {
        Path folder = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
        Path file = Path.of(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        Duration window = Duration.ofSeconds(Long.parseLong(arguments[3]));
        double least = Double.parseDouble(arguments[4]);
        List<String> names = List.of(arguments).subList(5, arguments.length);
        List<ExchangeCase> cases = ExchangeCase.ALL.stream()
                .filter(each -> names.isEmpty() || names.contains(each.name()))
                .toList();
        if (cases.isEmpty()) {
            System.err.println("There is no case " + names + "; there are "
                    + ExchangeCase.ALL.stream().map(ExchangeCase::name).toList());
            System.exit(2);
        }
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ArrayNode results = json.createArrayNode();
        List<String> tooSlow = new ArrayList<>();
        System.out.printf(
                Locale.ROOT,
                "%-42s %12s %12s %6s %16s %16s%n",
                "case",
                "bare MB/s",
                "ours MB/s",
                "ratio",
                "bare CPU s/GB",
                "ours CPU s/GB");
        for (ExchangeCase each : cases) {
            Measured measured = measure(each, folder, rounds, window);
            System.out.println(measured.line());
            results.add(measured.json(json));
            if (measured.ratio() < least) {
                tooSlow.add(each.name());
            }
        }
        json.writeValue(file.toFile(), results);
        System.out.println("written: " + file);
        if (!tooSlow.isEmpty()) {
            System.err.println("Slower than " + least + " of bare sockets: " + String.join(", ", tooSlow));
            System.exit(1);
        }
    }

    private static Measured measure(ExchangeCase each, Path folder, int rounds, Duration window)
            throws IOException, InvalidJobFileException {
        List<Speed> bare = new ArrayList<>();
        List<Speed> ours = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            String name = each.name() + "-" + round;
            try (Exchange exchange = Exchange.bare(each, Files.createDirectory(folder.resolve("bare-" + name)))) {
                bare.add(exchange.measure(WARM_UP, window));
            }
            try (Exchange exchange = Exchange.ours(each, Files.createDirectory(folder.resolve("ours-" + name)))) {
                ours.add(exchange.measure(WARM_UP, window));
            }
        }
        return new Measured(each, bare, ours);
    }

    /** The figures of one case, one for each round. */
    private record Measured(ExchangeCase what, List<Speed> bare, List<Speed> ours) {
        double ratio() {
            double[] ratios = new double[bare.size()];
            for (int round = 0; round < ratios.length; round++) {
                ratios[round] =
                        ours.get(round).megabytesPerSecond() / bare.get(round).megabytesPerSecond();
            }
            return Medians.mean(ratios);
        }

        private static double median(List<Speed> speeds, ToDoubleFunction<Speed> figure) {
            return Medians.mean(speeds.stream().mapToDouble(figure).toArray());
        }

        String line() {
            return String.format(
                    Locale.ROOT,
                    "%-42s %12.0f %12.0f %6.2f %16.2f %16.2f",
                    what.name(),
                    median(bare, Speed::megabytesPerSecond),
                    median(ours, Speed::megabytesPerSecond),
                    ratio(),
                    median(bare, Speed::cpuSecondsPerGigabyte),
                    median(ours, Speed::cpuSecondsPerGigabyte));
        }

        ObjectNode json(ObjectMapper mapper) {
            return mapper.createObjectNode()
                    .put("case", what.name())
                    .put("megabytes", what.megabytes())
                    .put("servers", what.servers())
                    .put("workers", what.workers())
                    .put("mode", what.mode())
                    .put("optimizer", what.optimizer())
                    .put("wireFormat", what.wireFormat())
                    .put("transport", what.sameHost() ? "unix" : "tcp")
                    .put("bareMegabytesPerSecond", median(bare, Speed::megabytesPerSecond))
                    .put("ourMegabytesPerSecond", median(ours, Speed::megabytesPerSecond))
                    .put("ratio", ratio())
                    .put("cpuSecondsPerGigabyte", median(ours, Speed::cpuSecondsPerGigabyte))
                    .put("bareCpuSecondsPerGigabyte", median(bare, Speed::cpuSecondsPerGigabyte));
        }
    }
}
