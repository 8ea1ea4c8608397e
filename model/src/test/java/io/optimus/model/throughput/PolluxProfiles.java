package io.optimus.model.throughput;

import io.optimus.model.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Steps of six models that the authors of Pollux measured on up to 4 nodes of 4 GPUs. */
final class PolluxProfiles {
    static final List<String> MODELS = List.of("bert", "cifar10", "deepspeech2", "imagenet", "ncf", "yolov3");

    private PolluxProfiles() {}

    /** All measured placements and batches of {@code model}; skips the test where the reference data is not there. */
    static List<ThroughputObservation> of(String model) throws IOException {
        return Files.readAllLines(SharedData.file("pollux/profiles/" + model + "/placements.csv")).stream()
                .skip(1)
                .map(PolluxProfiles::observation)
                .toList();
    }

    private static ThroughputObservation observation(String line) {
        String[] cells = line.split(",", -1);
        double stepSeconds = Double.parseDouble(cells[2]);
        double synchronizing = Double.parseDouble(cells[3]);
        return new ThroughputObservation(
                cells[0].length(),
                cells[0].chars().map(digit -> digit - '0').sum(),
                Integer.parseInt(cells[1]),
                stepSeconds - synchronizing,
                stepSeconds);
    }
}
