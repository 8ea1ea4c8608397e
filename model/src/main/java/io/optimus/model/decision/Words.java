package io.optimus.model.decision;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Writes figures and tasks in the words of reasons. */
public final class Words {
    private static final MathContext DIGITS = new MathContext(3);
    /** Larger numbers (30 million years in seconds) and smaller ones are shown with a power of ten. */
    private static final double MOST_PLAIN = 1e15;

    private static final double LEAST_PLAIN = 1e-9;

    /** Closer to 1 than this, a ratio is shown as 1. */
    private static final double SAME = 0.05;

    private static final double MINUTE = 60;
    private static final double HOUR = 3600;

    private Words() {}

    /** The word for a task of {@code role}. */
    public static String name(Role role) {
        return switch (role) {
            case WORKER -> "worker";
            case PARAMETER_SERVER -> "ps";
        };
    }

    /** The words for one task, one of each role, or several. */
    public static String tasks(Allocation tasks) {
        if (Math.max(tasks.parameterServers(), tasks.workers()) > 1) {
            return tasks.toString();
        }
        if (tasks.workers() == 0) {
            return name(Role.PARAMETER_SERVER);
        }
        return tasks.parameterServers() == 0 ? name(Role.WORKER) : "ps and worker";
    }

    /** The words for that many further tasks: {@code one more worker}, {@code another 4 workers}. */
    public static String more(Allocation tasks) {
        boolean several = Math.max(tasks.parameterServers(), tasks.workers()) > 1;
        return (several ? "another " : "one more ") + tasks(tasks);
    }

    /** The words for a job that gets nothing: {@code waits}, or {@code gives up 1 ps + 2 workers and waits}. */
    public static String waits(Allocation held) {
        return held.isNone() ? "waits" : "gives up " + held + " and waits";
    }

    /** A time with three digits: seconds below ten minutes, minutes below ten hours, then hours. */
    public static String seconds(double seconds) {
        double size = Math.abs(seconds);
        if (!Double.isFinite(size)) {
            return "an unknown time";
        }
        if (size < 10 * MINUTE) {
            return number(seconds) + " s";
        }
        return size < 10 * HOUR ? number(seconds / MINUTE) + " min" : number(seconds / HOUR) + " h";
    }

    /** How fast a job becomes if its speed is multiplied by {@code ratio}, 1 or more. */
    static String faster(double ratio) {
        return ratio < 1 + SAME ? "slightly faster" : number(ratio) + " times as fast";
    }

    /** Three digits, or all before the point from 100 on; very large and small numbers with a power of ten. */
    public static String number(double value) {
        if (Double.isNaN(value)) {
            return "unknown";
        }
        double size = Math.abs(value);
        if (Double.isInfinite(value)) {
            return value > 0 ? "∞" : "-∞";
        }
        if (size >= MOST_PLAIN || (size > 0 && size < LEAST_PLAIN)) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        return size >= 100
                ? String.format(Locale.ROOT, "%.0f", value)
                : new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
    }

    /** The words for "{@code ratio} times", 1 or more. */
    static String times(double ratio) {
        return ratio < 1 + SAME ? "about " : number(ratio) + " times ";
    }

    /** The words for an amount, such as {@code 1 GPU}, {@code 2 vcores} or {@code 4096 MB of memory}. */
    static String amount(long amount, String resource) {
        return amount + " " + unit(amount, resource);
    }

    /** The unit of {@code amount} of a resource. */
    static String unit(long amount, String resource) {
        String plural = amount == 1 ? "" : "s";
        return switch (resource) {
            case Resources.GPUS -> "GPU" + plural;
            case Resources.VCORES -> "vcore" + plural;
            case Resources.MEMORY_MB -> "MB of memory";
                // GPUs of a type are a resource of their own, which has a readable name: GpuTypes.resource.
            default -> amount == 1 && resource.startsWith("GPUs ") ? resource.replaceFirst("s", "") : resource;
        };
    }

    /** The words for none of a resource, such as {@code no GPU} or {@code no memory}. */
    static String none(String resource) {
        return "no " + (resource.equals(Resources.MEMORY_MB) ? "memory" : unit(1, resource));
    }
}
