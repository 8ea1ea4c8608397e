package io.optimus.local;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.membership.Resize;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what happens to a job of a {@link LocalCoordinator}. */
public final class PauseListener implements CoordinatorListener {
    /** Longer than any event takes, also of large models on a busy machine. */
    private static final long LIMIT_SECONDS = 180;

    private final Queue<Resize> resizes = new ArrayDeque<>();
    private final Set<TaskId> ready = new HashSet<>();
    private long checkpoints;
    private Optional<String> failure = Optional.empty();

    /**
     * Waits until the job has begun to train.
     *
     * @throws IllegalStateException if something else happens, as all methods do
     */
    public void awaitStart() throws InterruptedException {
        nextPause(Resize.Cause.STARTED);
    }

    /** How long training stood still in the next resize, which was planned; in milliseconds. */
    public long plannedPause() throws InterruptedException {
        return nextPause(Resize.Cause.PLANNED);
    }

    /** How long training stood still because a task of {@code role} was lost; in milliseconds. */
    public long pauseOfLoss(Role role) throws InterruptedException {
        return nextPause(
                switch (role) {
                    case WORKER -> Resize.Cause.WORKER_LOST;
                    case PARAMETER_SERVER -> Resize.Cause.SERVER_LOST;
                });
    }

    private synchronized long nextPause(Resize.Cause cause) throws InterruptedException {
        await("there is no resize", () -> !resizes.isEmpty());
        Resize resize = resizes.remove();
        if (resize.cause() != cause) {
            throw new IllegalStateException("Expected a resize because of " + cause + ", came " + resize);
        }
        return resize.pauseMillis();
    }

    /** Waits until {@code task} can be in a target. */
    public void awaitReady(TaskId task) throws InterruptedException {
        await(task + " is not ready", () -> ready.contains(task));
    }

    /** Waits for the next checkpoint. */
    public synchronized void awaitCheckpoint() throws InterruptedException {
        long before = checkpoints;
        await("there is no checkpoint", () -> checkpoints > before);
    }

    private synchronized void await(String problem, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!condition.getAsBoolean()) {
            if (failure.isPresent()) {
                throw new IllegalStateException("Training failed: " + failure.get());
            }
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
    public synchronized void resized(Resize resize) {
        resizes.add(resize);
        notifyAll();
    }

    @Override
    public void warned(String message) {
        System.err.println(message);
    }

    @Override
    public synchronized void failed(String reason) {
        failure = Optional.of(reason);
        notifyAll();
    }
}
