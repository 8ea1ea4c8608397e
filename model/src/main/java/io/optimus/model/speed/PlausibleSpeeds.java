package io.optimus.model.speed;

import io.optimus.model.Allocation;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds what a job can claim by its speeds: a larger size counts as faster in proportion to its tasks, with an allowance for
 * noise, and no more.
 *
 * <pre>f(p, w) ≤ 1.1 · max(p/p', w/w') · f(p', w')  for every measured size (p', w') within (p, w)</pre>
 *
 * <p>Example: 10 steps/s on 1 worker allow up to 44 on 4. A job that reports 500 counts with 44; an honest one that scales
 * perfectly reports 40.
 */
final class PlausibleSpeeds {
    /** Single measurements differ by 5 %, and tasks that share a node are faster together than apart. */
    private static final double ALLOWANCE = 1.1;

    private PlausibleSpeeds() {}

    /** Returns {@code measured} with implausible speeds cut to the bound. */
    static MeasuredSizes of(MeasuredSizes measured) {
        List<MeasuredSize> plausible = new ArrayList<>();
        boolean changed = false;
        for (MeasuredSize size : measured.sizes()) {
            double most = Double.POSITIVE_INFINITY;
            for (MeasuredSize smaller : measured.sizes()) {
                most = Math.min(most, bound(smaller, size.allocation()));
            }
            boolean cut = size.stepsPerSecond() > most;
            changed |= cut;
            plausible.add(
                    cut
                            ? new MeasuredSize(
                                    size.allocation(), size.nodes(), most, size.standardError(), size.weight())
                            : size);
        }
        return changed ? new MeasuredSizes(plausible) : measured;
    }

    private static double bound(MeasuredSize smaller, Allocation size) {
        Allocation small = smaller.allocation();
        if (small.equals(size) || !small.isWithin(size)) {
            return Double.POSITIVE_INFINITY;
        }
        double times = Math.max(
                (double) size.parameterServers() / small.parameterServers(), (double) size.workers() / small.workers());
        return ALLOWANCE * times * smaller.stepsPerSecond();
    }
}
