package io.optimus.am.master.journal;

import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.LossPoint;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a job has lived through, in bounded memory: all of it for the page and for a scheduler that starts anew, and
 * what is new since the last report.
 */
public final class TrainingHistory {
    /** Limits of the protocol's history. */
    private static final int LOSSES = 512;

    private static final int SPEEDS = 64;
    private static final int RESIZES = 64;
    /** A report is sent every few seconds. */
    private static final int LOSSES_IN_REPORT = 128;
    /** Of the page's chart. */
    private static final int ALLOCATIONS = 512;

    private final BoundedLossCurve losses = new BoundedLossCurve(LOSSES);
    private final BoundedLossCurve newLosses = new BoundedLossCurve(LOSSES_IN_REPORT);
    private final Recent<PlacedSpeed> speeds = new Recent<>(SPEEDS);
    private final Recent<PlacedSpeed> newSpeeds = new Recent<>(SPEEDS);
    private final Recent<ResizeRecord> resizes = new Recent<>(ALLOCATIONS);
    private final Recent<ResizeRecord> newResizes = new Recent<>(RESIZES);
    private final Recent<TimedAllocation> allocations = new Recent<>(ALLOCATIONS);
    private final TrainingMode mode;
    private int survivorsRestarted;
    private OptionalLong bend = OptionalLong.empty();
    private OptionalLong newBend = OptionalLong.empty();

    public TrainingHistory(TrainingMode mode) {
        this.mode = mode;
    }

    public void loss(LossPoint point) {
        losses.add(point);
        newLosses.add(point);
    }

    public void speed(PlacedSpeed speed) {
        speeds.add(speed);
        newSpeeds.add(speed);
    }

    public void resize(ResizeRecord resize) {
        resizes.add(resize);
        newResizes.add(resize);
        allocations.add(new TimedAllocation(resize.atMillis(), resize.to()));
        if (changesStaleness(resize)) {
            bend = OptionalLong.of(resize.step());
            newBend = bend;
        }
    }

    public void steppedBackTo(long step) {
        losses.goBackTo(step);
        newLosses.goBackTo(step);
    }

    public void survivorsRestarted(int count) {
        survivorsRestarted += count;
    }

    /** Loss curve, thinned to at most 512 points. */
    public List<LossPoint> losses() {
        return losses.points();
    }

    /** The step from which on the loss follows its present curve, where it followed another one before. */
    public OptionalLong bend() {
        return bend;
    }

    /** The last 64 speed samples. */
    public List<PlacedSpeed> speeds() {
        return speeds.items();
    }

    /** The last 512 resizes, oldest first. */
    public List<ResizeRecord> resizes() {
        return resizes.items();
    }

    /** The last resizes that a registration carries, oldest first. */
    public List<ResizeRecord> lastResizes() {
        List<ResizeRecord> all = resizes();
        return all.subList(Math.max(0, all.size() - RESIZES), all.size());
    }

    /** The last 512 allocations with the time of their begin, oldest first. */
    public List<TimedAllocation> allocations() {
        return allocations.items();
    }

    /** Tasks that a resize should have kept and that are not the same process after it. */
    public int survivorsRestarted() {
        return survivorsRestarted;
    }

    /** What happened since the last call; a bend stays news until a loss beyond it is. */
    public News takeNews() {
        News news = new News(newLosses.drain(), newBend, newSpeeds.drain(), newResizes.drain());
        boolean told =
                newBend.isPresent() && news.losses().stream().anyMatch(point -> point.step() >= newBend.getAsLong());
        if (told) {
            newBend = OptionalLong.empty();
        }
        return news;
    }

    /** What is new. */
    public record News(
            List<LossPoint> losses, OptionalLong bend, List<PlacedSpeed> speeds, List<ResizeRecord> resizes) {}

    /** An allocation and when it began, Unix time. */
    public record TimedAllocation(long atMillis, Allocation allocation) {}

    /** Asynchronous workers compute on parameters that as many others have changed meanwhile as there are. */
    private boolean changesStaleness(ResizeRecord resize) {
        return mode == TrainingMode.ASYNCHRONOUS
                && resize.from().workers() > 0
                && resize.from().workers() != resize.to().workers();
    }
}
