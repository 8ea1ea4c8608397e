package io.optimus.dataplane;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.TaskId;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.speed.SpeedSample;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what happens to a job. */
final class PauseListener implements CoordinatorListener {
    /** Longer than any event takes, also of large models on a busy machine. */
    private static final long LIMIT_SECONDS = 180;

    private final BlockingQueue<Resize> resizes = new LinkedBlockingQueue<>();
    private final Set<TaskId> ready = new HashSet<>();
    private long checkpoints;

    /** How long training stood still in the next resize, in milliseconds. */
    long nextPause() throws InterruptedException {
        Resize resize = resizes.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (resize == null) {
            throw new IllegalStateException("No resize within " + LIMIT_SECONDS + " s");
        }
        return resize.pauseMillis();
    }

    void awaitReady(TaskId task) throws InterruptedException {
        await(task + " is not ready", () -> ready.contains(task));
    }

    /** Waits until a checkpoint is saved from now on. */
    synchronized void awaitCheckpoint() throws InterruptedException {
        long before = checkpoints;
        await("there is no checkpoint", () -> checkpoints > before);
    }

    private synchronized void await(String problem, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0) {
                throw new IllegalStateException("After " + LIMIT_SECONDS + " s " + problem);
            }
            wait(millis);
        }
    }

    @Override
    public synchronized void taskReady(TaskId task) {
        ready.add(task);
        notifyAll();
    }

    @Override
    public synchronized void checkpointed(long step) {
        checkpoints++;
        notifyAll();
    }

    @Override
    public void resized(Resize resize) {
        resizes.add(resize);
    }

    @Override
    public void taskReleased(TaskId task) {}

    @Override
    public void taskLost(TaskId task, String reason) {}

    @Override
    public void loss(LossPoint point) {}

    @Override
    public void speed(SpeedSample sample) {}

    @Override
    public void steppedBack(long fromStep, long toStep) {}

    @Override
    public void warned(String message) {
        System.err.println(message);
    }

    @Override
    public void finished(TrainingResult result) {}

    @Override
    public void failed(String reason) {
        System.err.println("Training failed: " + reason);
    }
}
