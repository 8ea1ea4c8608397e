package io.optimus.local;

import io.optimus.am.coordinator.CoordinatorListener;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.wire.TaskId;
import java.util.concurrent.CompletableFuture;

/** Waits for the end of a job; a lost task is its end. */
final class JobEnd implements CoordinatorListener {
    private final CompletableFuture<String> problem = new CompletableFuture<>();

    /** Returns why the job failed; empty if it ended well. */
    String await() {
        return problem.join();
    }

    @Override
    public void taskLost(TaskId task, String reason) {
        problem.complete(task + " was lost: " + reason);
    }

    @Override
    public void warned(String message) {
        System.err.println(message);
    }

    @Override
    public void finished(TrainingResult result) {
        finished();
    }

    /** Nothing that happens from here on is a failure. */
    void finished() {
        problem.complete("");
    }

    @Override
    public void failed(String reason) {
        problem.complete(reason);
    }
}
