package io.optimus.model.bound;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** A machine that serves one job at a time, may switch jobs at any moment, and never idles while one waits. */
final class SingleMachine {
    static final Comparator<Served> LEAST_REMAINING_FIRST = Comparator.comparingDouble(Served::remaining);
    static final Comparator<Served> LEAST_WORK_FIRST = Comparator.comparingDouble(Served::work);

    private final PriorityQueue<Served> waiting;
    private double now = Double.NEGATIVE_INFINITY;
    private double sumOfEnds;
    private double sumOfMeanTimes;
    private double lastEnd = Double.NEGATIVE_INFINITY;

    static final class Served {
        private final double work;
        private double remaining;

        Served(double work) {
            this.work = work;
            this.remaining = work;
        }

        double work() {
            return work;
        }

        double remaining() {
            return remaining;
        }
    }

    /**
     * Serves all jobs to their ends.
     *
     * @param jobs in order of arrival
     * @param speed resource-seconds that the machine does in a second
     */
    SingleMachine(List<Work> jobs, double speed, Comparator<Served> first) {
        waiting = new PriorityQueue<>(first);
        for (Work job : jobs) {
            serveUntil(job.arrivalSeconds());
            now = job.arrivalSeconds();
            waiting.add(new Served(job.leastResourceSeconds() / speed));
        }
        serveUntil(Double.POSITIVE_INFINITY);
    }

    private void serveUntil(double seconds) {
        while (!waiting.isEmpty() && now < seconds) {
            Served job = waiting.remove();
            double end = Math.min(seconds, now + job.remaining);
            double done = end - now;
            // A job without work is done at once.
            double part = job.work > 0 ? done / job.work : 1;
            sumOfMeanTimes += part * (now + end) / 2;
            if (end < now + job.remaining) {
                job.remaining -= done;
                waiting.add(job);
            } else {
                sumOfEnds += end;
                lastEnd = end;
            }
            now = end;
        }
    }

    double sumOfEnds() {
        return sumOfEnds;
    }

    /** The sum of the jobs' mean times at which their work is done. */
    double sumOfMeanTimes() {
        return sumOfMeanTimes;
    }

    double lastEnd() {
        return lastEnd;
    }
}
