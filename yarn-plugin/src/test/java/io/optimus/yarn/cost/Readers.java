package io.optimus.yarn.cost;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Clients that read one address over HTTP once a second each, every one over a connection of its own. */
final class Readers implements AutoCloseable {
    private static final int OK = 200;

    private final ExecutorService threads;
    private final List<Double> seconds = new CopyOnWriteArrayList<>();
    private final List<Long> bytes = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    Readers(URI address, int clients) {
        this.threads = Executors.newFixedThreadPool(Math.max(1, clients));
        for (int client = 0; client < clients; client++) {
            int number = client;
            threads.execute(() -> read(address, TimeUnit.SECONDS.toMillis(1) * number / clients));
        }
    }

    private void read(URI address, long delayMillis) {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(address).build();
        try {
            TimeUnit.MILLISECONDS.sleep(delayMillis);
            while (!Thread.currentThread().isInterrupted()) {
                long begin = System.nanoTime();
                HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
                double took = (System.nanoTime() - begin) / 1e9;
                seconds.add(took);
                bytes.add((long) response.body().length);
                if (response.statusCode() != OK) {
                    failures.add("status " + response.statusCode());
                }
                TimeUnit.NANOSECONDS.sleep(Math.max(0, (long) (1e9 * (1 - took))));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failures.add(e.toString());
        }
    }

    /** How many reads there were, how long they took, and how large the answers are. */
    String inWords() {
        return String.format(
                Locale.ROOT,
                "%d (%d failed%s), %s, %d KB each",
                seconds.size(),
                failures.size(),
                failures.isEmpty() ? "" : ": " + failures.get(0),
                quantiles(seconds.stream().mapToDouble(Double::doubleValue).toArray()),
                (long) bytes.stream().mapToLong(Long::longValue).average().orElse(0) / 1000);
    }

    /** The median and the 99th percentile of times, in milliseconds. */
    static String quantiles(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted.length == 0
                ? "none"
                : String.format(
                        Locale.ROOT,
                        "p50 %.3f ms, p99 %.3f ms",
                        1e3 * sorted[sorted.length / 2],
                        1e3 * sorted[(int) (0.99 * (sorted.length - 1))]);
    }

    /** Megabytes of the heap that are in use after a collection of all of it. */
    static long heapMegabytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1_000_000;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
