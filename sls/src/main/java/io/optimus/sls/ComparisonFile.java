package io.optimus.sls;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes comparisons as JSON: a list with the medians of each side, of ours with the ratios, and every run. */
final class ComparisonFile {
    private final ObjectMapper json = new ObjectMapper();

    void write(Path file, List<Comparison> comparisons) throws IOException {
        ArrayNode all = json.createArrayNode();
        for (Comparison comparison : comparisons) {
            for (Side side : Side.values()) {
                all.add(entry(comparison, side));
            }
        }
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        json.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
    }

    private ObjectNode entry(Comparison comparison, Side side) {
        Workload workload = comparison.workload();
        ObjectNode entry = json.createObjectNode()
                .put("side", side.word())
                .put("nodes", workload.nodes())
                .put("jobs", workload.jobs())
                .put("applications", workload.applications())
                .put("policy", workload.policy())
                .put("seconds", workload.seconds())
                .put("repetitions", comparison.of(side).size());
        for (Figure figure : Figure.ALL) {
            entry.put(figure.name(), comparison.median(side, figure));
        }
        if (side == Side.OURS) {
            ObjectNode ratios = entry.putObject("ratio");
            for (Figure figure : Figure.ALL) {
                double ratio = comparison.ratio(figure);
                if (!Double.isNaN(ratio)) {
                    ratios.put(figure.name(), ratio);
                }
            }
        }
        entry.set("runs", json.valueToTree(comparison.of(side)));
        return entry;
    }
}
