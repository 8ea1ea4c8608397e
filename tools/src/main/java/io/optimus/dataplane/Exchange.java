package io.optimus.dataplane;

import io.optimus.am.job.InvalidJobFileException;
import io.optimus.am.wire.TaskId;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** All processes of one exchange, ours or by bare sockets. They exchange until they are closed. */
final class Exchange implements AutoCloseable {
    private static final double NANOS = 1e9;

    private final ExchangeCase what;
    private final List<TaskProcess> servers = new ArrayList<>();
    private final List<TaskProcess> workers = new ArrayList<>();
    private final List<AutoCloseable> others = new ArrayList<>();

    private Exchange(ExchangeCase what) {
        this.what = what;
    }

    /**
     * What was measured.
     *
     * @param megabytesPerSecond 10⁶ bytes a second of all workers, both ways
     * @param cpuSecondsPerGigabyte processor time of all workers and servers for 10⁹ bytes
     */
    record Speed(double megabytesPerSecond, double cpuSecondsPerGigabyte) {}

    /** Starts a job with real parameter servers, and workers that compute nothing. */
    static Exchange ours(ExchangeCase what, Path folder) throws IOException, InvalidJobFileException {
        return ours(what, IdleModel.of(what.floats()), folder);
    }

    /** Starts a job with real parameter servers, and workers that do what {@code model} says. */
    static Exchange ours(ExchangeCase what, IdleModel model, Path folder) throws IOException, InvalidJobFileException {
        Exchange exchange = new Exchange(what);
        try {
            IdleJob job = new IdleJob(what.jobFile(), model, folder, what.sameHost(), Optional.empty());
            exchange.others.add(job);
            Set<TaskId> tasks = new TreeSet<>();
            for (int i = 0; i < what.servers(); i++) {
                tasks.add(TaskId.server(i));
                exchange.servers.add(job.start(TaskId.server(i), TaskProcess.Memory.USUAL));
            }
            for (int i = 0; i < what.workers(); i++) {
                tasks.add(TaskId.worker(i));
                exchange.workers.add(job.start(TaskId.worker(i), TaskProcess.Memory.USUAL));
            }
            job.target(tasks);
            return exchange;
        } catch (IOException | RuntimeException e) {
            exchange.close();
            throw e;
        }
    }

    /** Starts as many processes that exchange as many bytes by bare sockets. */
    static Exchange bare(ExchangeCase what, Path folder) throws IOException {
        Exchange exchange = new Exchange(what);
        String bytes = String.valueOf(what.floats() / what.servers() * Float.BYTES);
        try {
            List<String> worker = new ArrayList<>(List.of(BareExchange.class.getName(), "worker", bytes));
            for (int i = 0; i < what.servers(); i++) {
                TaskProcess server = new TaskProcess(
                        folder,
                        Map.of(),
                        TaskProcess.Memory.USUAL,
                        List.of(BareExchange.class.getName(), "server", bytes));
                exchange.servers.add(server);
                worker.add(server.output().readLine().replace("port ", ""));
            }
            for (int i = 0; i < what.workers(); i++) {
                exchange.workers.add(new TaskProcess(folder, Map.of(), TaskProcess.Memory.USUAL, worker));
            }
            return exchange;
        } catch (IOException | RuntimeException e) {
            exchange.close();
            throw e;
        }
    }

    /**
     * Measures whole exchanges of each worker.
     *
     * @param warmUp the time from the first exchange on that does not count
     * @param window the time that is measured, as far as it holds whole exchanges
     */
    Speed measure(Duration warmUp, Duration window) throws IOException {
        long start = ExchangeTimes.next(workers.get(0).output()) + warmUp.toNanos();
        List<Long> firsts = new ArrayList<>();
        for (TaskProcess worker : workers) {
            firsts.add(after(start, worker.output()));
        }
        Duration used = processorTime();
        double moved = 0;
        double megabytesPerSecond = 0;
        for (int i = 0; i < workers.size(); i++) {
            BufferedReader output = workers.get(i).output();
            long first = firsts.get(i);
            long last = first;
            int exchanges = 0;
            while (last - first < window.toNanos()) {
                last = ExchangeTimes.next(output);
                exchanges++;
            }
            moved += what.moved(exchanges);
            megabytesPerSecond += what.moved(exchanges) / ((last - first) / NANOS);
        }
        double seconds = processorTime().minus(used).toNanos() / NANOS;
        return new Speed(megabytesPerSecond, seconds / (moved / 1000));
    }

    private static long after(long nanos, BufferedReader output) throws IOException {
        long time = ExchangeTimes.next(output);
        while (time < nanos) {
            time = ExchangeTimes.next(output);
        }
        return time;
    }

    private Duration processorTime() {
        Duration all = Duration.ZERO;
        for (List<TaskProcess> tasks : List.of(servers, workers)) {
            for (TaskProcess task : tasks) {
                all = all.plus(task.processorTime());
            }
        }
        return all;
    }

    @Override
    public void close() {
        workers.forEach(TaskProcess::close);
        servers.forEach(TaskProcess::close);
        for (AutoCloseable other : others) {
            try {
                other.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
