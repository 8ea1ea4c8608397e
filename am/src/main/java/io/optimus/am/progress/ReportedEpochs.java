package io.optimus.am.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The mean losses of epochs, where training reports losses and epochs as it likes.
 *
 * <p>An epoch is one pass over the data, and fractions count: the losses of the first epoch come with epochs above 0, up to 1.
 * Epochs without a loss of their own lie on the line between those that have one. Those before the first loss have NaN, which
 * lets no rule about losses hold, and so have those after the last.
 *
 * <p>Example: losses of 0.8 at epoch 0.5 and 0.6 at epoch 1.0 give 0.7 for the first epoch. If the next loss is 0.4 at epoch 4,
 * the second to fourth epoch have 0.6, 0.5 and 0.4.
 */
public final class ReportedEpochs {
    private final List<Double> means = new ArrayList<>();
    /** Ended epochs up to the last one with a loss of its own. */
    private int known;

    private double epoch;
    private double sum;
    private long count;

    /**
     * Takes the next report.
     *
     * @param reported passes over the data, 0 or more; empty: as before
     * @param loss a finite loss; empty if none was reported
     * @return whether epochs have ended with it
     */
    public boolean add(OptionalDouble reported, OptionalDouble loss) {
        epoch = reported.orElse(epoch);
        int ended = (int) Math.min(Integer.MAX_VALUE - 1, epoch);
        goBackTo(ended);
        // A loss that comes with the very end of an epoch belongs to that epoch, a later one to the next.
        boolean ofEnded = epoch == ended;
        if (ofEnded) {
            count(loss);
        }
        boolean more = ended > means.size();
        if (more) {
            end(ended);
        }
        if (!ofEnded) {
            count(loss);
        }
        return more;
    }

    /** Training goes back: losses since the last end of an epoch are reported again. */
    public void stepBack() {
        sum = 0;
        count = 0;
    }

    private void count(OptionalDouble loss) {
        if (loss.isPresent()) {
            sum += loss.getAsDouble();
            count++;
        }
    }

    private void goBackTo(int ended) {
        if (means.size() > ended) {
            means.subList(ended, means.size()).clear();
            known = Math.min(known, ended);
        }
    }

    private void end(int ended) {
        if (count > 0) {
            double mean = sum / count;
            double before = known == 0 ? Double.NaN : means.get(known - 1);
            means.subList(known, means.size()).clear();
            int lacking = ended - known;
            for (int i = 1; i < lacking; i++) {
                means.add(before + (mean - before) * i / lacking);
            }
            means.add(mean);
            known = ended;
            stepBack();
        }
        while (means.size() < ended) {
            means.add(Double.NaN);
        }
    }

    /** Passes over the data; 0 before any was reported. */
    public double epoch() {
        return epoch;
    }

    /** The mean loss of each epoch that has ended; NaN where it is not known. */
    public List<Double> means() {
        return List.copyOf(means);
    }

    /** The last mean that is known. */
    public OptionalDouble last() {
        return known == 0 ? OptionalDouble.empty() : OptionalDouble.of(means.get(known - 1));
    }
}
