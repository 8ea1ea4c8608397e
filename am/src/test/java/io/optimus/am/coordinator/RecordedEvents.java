package io.optimus.am.coordinator;

import io.optimus.am.Await;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.TaskId;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.throughput.ThroughputObservation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The events of a job, in order, for tests that wait for them. Losses are left to the kind of job. */
public abstract class RecordedEvents implements CoordinatorListener {
    public static final long PATIENCE_MILLIS = 60_000;

    public final List<Resize> resizes = new CopyOnWriteArrayList<>();
    public final List<SpeedSample> speeds = new CopyOnWriteArrayList<>();
    public final List<CurrentBatch> batches = new CopyOnWriteArrayList<>();
    public final List<ThroughputObservation> stepTimes = new CopyOnWriteArrayList<>();
    public final List<String> steppedBack = new CopyOnWriteArrayList<>();
    public final List<ProgramReport> reports = new CopyOnWriteArrayList<>();
    public final List<Long> checkpoints = new CopyOnWriteArrayList<>();
    public final List<String> warnings = new CopyOnWriteArrayList<>();
    public final Map<TaskId, String> lost = new ConcurrentHashMap<>();
    public final Set<TaskId> released = ConcurrentHashMap.newKeySet();
    public volatile @Nullable TrainingResult result;
    public volatile @Nullable String failure;

    /** Waits until {@code condition} holds, up to a minute. */
    public final void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE_MILLIS, condition);
    }

    public final void await(String what, long patienceMillis, BooleanSupplier condition) {
        Await.until(
                what,
                patienceMillis,
                () -> "resizes=" + resizes + " lost=" + lost + " warnings=" + warnings + " failure=" + failure + " "
                        + describe(),
                condition);
    }

    /** Further figures of the job for the message of a wait that ends in vain. */
    protected abstract String describe();

    /** Waits for the end of the job, and fails if it has failed. */
    public final TrainingResult awaitEnd() {
        await("the end", () -> result != null || failure != null);
        TrainingResult ended = result;
        if (ended == null) {
            throw new AssertionError("failed: " + failure);
        }
        return ended;
    }

    @Override
    public void taskReady(TaskId task) {}

    @Override
    public void taskReleased(TaskId task) {
        released.add(task);
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        lost.put(task, reason);
    }

    @Override
    public void reported(ProgramReport report) {
        reports.add(report);
    }

    @Override
    public void speed(SpeedSample sample) {
        speeds.add(sample);
    }

    @Override
    public void stepTimes(ThroughputObservation means) {
        stepTimes.add(means);
    }

    @Override
    public void batchChanged(int before, CurrentBatch now) {
        batches.add(now);
    }

    @Override
    public void resized(Resize resize) {
        resizes.add(resize);
    }

    @Override
    public void steppedBack(long fromStep, long toStep) {
        steppedBack.add(fromStep + " to " + toStep);
    }

    @Override
    public void checkpointed(long step) {
        checkpoints.add(step);
    }

    @Override
    public void warned(String message) {
        warnings.add(message);
    }

    @Override
    public void finished(TrainingResult ended) {
        result = ended;
    }

    @Override
    public void failed(String reason) {
        failure = reason;
    }
}
