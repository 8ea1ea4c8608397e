package io.optimus.yarn.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.impl.MsInfo;

/** Reads metrics as Hadoop's metrics system does. */
public final class CollectedMetrics {
    private CollectedMetrics() {}

    /**
     * One value.
     *
     * @param record name of its record
     * @param tags tags of the record by their names, without those of Hadoop
     * @param name name of the metric
     * @param type counter or gauge
     */
    record Value(String record, Map<String, String> tags, String name, MetricType type, Number value) {
        /** {@code Jobs} for the first record, {@code OptimusQueue{Queue=root.a}.Jobs} for one with tags. */
        String key() {
            String inBraces = tags.entrySet().stream()
                    .map(tag -> tag.getKey() + "=" + tag.getValue())
                    .collect(Collectors.joining(","));
            return record.equals(OptimusMetrics.NAME) ? name : record + "{" + inBraces + "}." + name;
        }
    }

    /** The values of {@code source} by name. */
    public static Map<String, Long> of(OptimusMetrics source) {
        Map<String, Long> values = new TreeMap<>();
        all(source).forEach(value -> values.put(value.key(), value.value().longValue()));
        return values;
    }

    static List<Value> all(OptimusMetrics source) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        List<Value> values = new ArrayList<>();
        for (MetricsRecord metrics : collector.getRecords()) {
            Map<String, String> tags = new TreeMap<>();
            for (MetricsTag tag : metrics.tags()) {
                if (!tag.name().equals(MsInfo.Context.name())) {
                    tags.put(tag.name(), tag.value());
                }
            }
            for (AbstractMetric metric : metrics.metrics()) {
                values.add(new Value(metrics.name(), tags, metric.name(), metric.type(), metric.value()));
            }
        }
        return values;
    }
}
