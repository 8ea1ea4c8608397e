package io.optimus.yarn.metrics;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;

/** Reads metrics as Hadoop's metrics system does. */
public final class CollectedMetrics {
    private CollectedMetrics() {}

    /** The values of {@code source} by name. */
    public static Map<String, Long> of(OptimusMetrics source) {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        source.getMetrics(collector, true);
        Map<String, Long> values = new TreeMap<>();
        for (MetricsRecord metrics : collector.getRecords()) {
            for (AbstractMetric metric : metrics.metrics()) {
                values.put(metric.name(), metric.value().longValue());
            }
        }
        return values;
    }
}
