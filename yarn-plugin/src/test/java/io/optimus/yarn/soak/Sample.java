package io.optimus.yarn.soak;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * What this JVM holds at one moment, after a garbage collection.
 *
 * @param seconds since the soak began
 * @param live applications that have not ended
 * @param heapMb memory of all objects, in MB
 * @param threads of this JVM
 * @param metricsSources Hadoop's JMX beans
 * @param logLines lines of the scheduler so far
 * @param logBytes bytes of these lines
 * @param objects live objects of the scheduler, by class
 */
record Sample(
        long seconds,
        int live,
        double heapMb,
        int threads,
        int metricsSources,
        long logLines,
        long logBytes,
        Map<String, Long> objects) {
    private static final double MB = 1 << 20;
    private static final int COLUMNS = 4;

    static Sample take(long nowMillis, int live, SoakLog log) throws Exception {
        Map<String, Long> objects = counted();
        return new Sample(
                nowMillis / 1000,
                live,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MB,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                server().queryNames(new ObjectName("Hadoop:*"), null).size(),
                log.lines(),
                log.bytes(),
                objects);
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    /** Collects garbage, and counts what is left of the product's classes. */
    private static Map<String, Long> counted() throws Exception {
        String histogram = (String) server().invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Map<String, Long> objects = new TreeMap<>();
        histogram.lines().forEach(line -> {
            String[] columns = line.trim().split("\\s+", -1);
            if (columns.length >= COLUMNS
                    && columns[3].startsWith("io.optimus.")
                    && !columns[3].startsWith("io.optimus.yarn.soak.")) {
                objects.put(columns[3], Long.parseLong(columns[1]));
            }
        });
        return objects;
    }

    /** The classes with most objects. */
    Map<String, Long> mostObjects(int count) {
        Map<String, Long> most = new LinkedHashMap<>();
        objects.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(count)
                .forEach(entry -> most.put(entry.getKey(), entry.getValue()));
        return most;
    }

    /** The live objects of a class. */
    long objects(Class<?> type) {
        return objects.getOrDefault(type.getName(), 0L);
    }
}
