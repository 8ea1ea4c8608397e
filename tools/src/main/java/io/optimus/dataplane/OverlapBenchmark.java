package io.optimus.dataplane;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.optimus.am.job.InvalidJobFileException;
import io.optimus.model.numerics.Medians;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures how much of the exchange with parameter servers takes place while workers compute. It measures the exchange alone, then
 * steps that compute for as long: once with workers that push their whole gradient at the end of a step, once with workers that tell
 * of it piece by piece. Workers sleep instead of computing, as if GPUs did.
 */
public final class OverlapBenchmark {
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final List<ExchangeCase> CASES = List.of(
            new ExchangeCase(10, 1, 1, "synchronous", "sgd", false),
            new ExchangeCase(10, 2, 2, "synchronous", "sgd", false),
            new ExchangeCase(100, 1, 1, "synchronous", "sgd", false),
            new ExchangeCase(100, 2, 2, "synchronous", "sgd", false),
            new ExchangeCase(100, 2, 2, "asynchronous", "sgd", false));

    private OverlapBenchmark() {}

    /**
     * The milliseconds of a step.
     *
     * @param exchange that computes nothing
     * @param compute of computing, as long as that
     * @param apart that computes and then exchanges
     * @param overlapped that does both together
     */
    private record Step(double exchange, double compute, double apart, double overlapped) {
        double ratio() {
            return overlapped / Math.max(compute, exchange);
        }
    }

    /**
     * Takes {@code FOLDER FILE ROUNDS SECONDS MOST_RATIO}: an empty folder for logs, the file for the figures, how often each step is
     * measured, for how long, and the multiple of the longer of computing and exchange above which the benchmark exits with 1.
     */
    public static void main(String[] arguments) throws IOException, InvalidJobFileException {
        Path folder = Files.createDirectories(Path.of(arguments[0]).toAbsolutePath());
        Path file = Path.of(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        Duration window = Duration.ofSeconds(Long.parseLong(arguments[3]));
        double most = Double.parseDouble(arguments[4]);
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        ArrayNode results = json.createArrayNode();
        List<String> tooSlow = new ArrayList<>();
        System.out.printf(
                "%-32s %12s %12s %12s %14s %6s%n",
                "case", "exchange ms", "compute ms", "apart ms", "overlapped ms", "ratio");
        for (ExchangeCase each : CASES) {
            Step median = median(measure(each, folder, rounds, window));
            System.out.printf(
                    Locale.ROOT,
                    "%-32s %12.1f %12.1f %12.1f %14.1f %6.2f%n",
                    each.name(),
                    median.exchange,
                    median.compute,
                    median.apart,
                    median.overlapped,
                    median.ratio());
            results.add(json.createObjectNode()
                    .put("case", each.name())
                    .put("exchangeMillis", median.exchange)
                    .put("computeMillis", median.compute)
                    .put("apartMillis", median.apart)
                    .put("overlappedMillis", median.overlapped)
                    .put("ratio", median.ratio()));
            if (median.ratio() > most) {
                tooSlow.add(each.name());
            }
        }
        json.writeValue(file.toFile(), results);
        System.out.println("written: " + file);
        if (!tooSlow.isEmpty()) {
            System.err.println("Steps take more than " + most + " times the longer of computing and exchange: "
                    + String.join(", ", tooSlow));
            System.exit(1);
        }
    }

    private static List<Step> measure(ExchangeCase each, Path folder, int rounds, Duration window)
            throws IOException, InvalidJobFileException {
        List<Step> steps = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            Path ofRound = Files.createDirectory(folder.resolve(each.name() + "-" + round));
            double exchange = millis(each, 0, false, ofRound, window);
            long compute = Math.max(1, Math.round(exchange));
            double apart = millis(each, compute, false, ofRound, window);
            double overlapped = millis(each, compute, true, ofRound, window);
            steps.add(new Step(exchange, compute, apart, overlapped));
        }
        return steps;
    }

    private static double millis(ExchangeCase each, long compute, boolean overlaps, Path folder, Duration window)
            throws IOException, InvalidJobFileException {
        Path logs = Files.createDirectory(folder.resolve(compute + (overlaps ? "-overlapped" : "")));
        try (Exchange exchange = Exchange.ours(each, new IdleModel(each.floats(), compute, overlaps), logs)) {
            double speed = exchange.measure(WARM_UP, window).megabytesPerSecond();
            return 1e3 * each.workers() * each.moved(1) / speed;
        }
    }

    /** The round with the median ratio. */
    private static Step median(List<Step> steps) {
        double middle = Medians.mean(steps.stream().mapToDouble(Step::ratio).toArray());
        return steps.stream()
                .min((one, other) -> Double.compare(Math.abs(one.ratio() - middle), Math.abs(other.ratio() - middle)))
                .orElseThrow();
    }
}
